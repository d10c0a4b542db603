"""The keys of all items in the table; infra builds the table from the same names.

| PK           | SK             | GSI1PK       | GSI1SK                | what                                |
|--------------|----------------|--------------|-----------------------|-------------------------------------|
| PLAN#<id>    | PLAN           | ACCOUNT#<id> | PLAN#<time>#<plan_id> | owner, state, run, progress, error  |
|              | USER           | ACCOUNT#<id> | PLAN#<time>#<plan_id> | lists it for its user as well       |
|              | STEP#<NNN>     |              |                       | a finished step: see steps/NNN.json |
|              | FILE#<path>    |              |                       | size, sha256, content type, time    |
|              | EVENT#<cursor> |              |                       | the event log                       |
|              | SEEN#<id>      |              |                       | an event that was applied           |
|              | IMPLEMENTED#<id>              |                       | an implementation plan made from it |
| ACTIVE       | PLAN#<id>      |              |                       | marks a pending or processing plan  |
| RESERVED     | RUN#<id>-<run> |              |                       | credits reserved for a run          |
| DELETED      | PLAN#<id>      |              |                       | erase its files unless it exists    |
| RUNNING      | RUNS           |              |                       | the run queue: active and waiting   |
| SEATS        | SEAT#<n>       |              |                       | a slot for a long poll, until when  |
| ACCOUNT#<id> | ACCOUNT        |              |                       | the account                         |
|              | CREDIT#<entry> |              |                       | its ledger, append-only             |
|              | KEY#<sha256>   |              |                       | lists an API key of the account     |
|              | REQUEST#<op>#<hash>           |                       | the response to a client_request_id |
| KEY#<sha256> | KEY            |              |                       | an API key, hashed                  |
| SHARE#<sha>  | SHARE          |              |                       | a shared link, hashed; the plan's   |
|              |                |              |                       | partition has the same sort key     |

Read backwards (ScanIndexForward=False), GSI1 lists the plans of an account newest first. Archived plans are there under
ACCOUNT#<id>#ARCHIVED. A deleted plan leaves a tombstone under PLAN#<id>, PLAN.


Implementation plans have their own partitions and lists; read backwards, a list has the last saved first.

| PK                  | SK                  | GSI1PK             | GSI1SK           | what                            |
|---------------------|---------------------|--------------------|------------------|---------------------------------|
| IMPLEMENTATION#<id> | PLAN                | IMPLEMENTATIONS#<a>| <time>#<plan_id> | the view: title, revision, state|
|                     | REVISION#<NNNNNN>   |                    |                  | who saved it, when, what changed|
|                     | COMMENT#<time>#<id> |                    |                  | a comment on it or on a step    |

Runs, graphs and tool servers:

| PK           | SK                   | GSI1PK             | GSI1SK            | what                                |
|--------------|----------------------|--------------------|-------------------|-------------------------------------|
| RUN#<id>     | RUN                  |                    |                   | state, fences, signals, progress    |
|              | LISTED               | RUNS#<account>     | <time>#<run_id>   | that the account's list shows it    |
|              | EVENT#<sequence>     |                    |                   | up to 100 entries of its log        |
| ACTIVE_RUNS  | RUN#<account>#<id>   |                    |                   | marks a running or waiting run      |
| GRAPH#<id>   | GRAPH                | GRAPHS#<account>   | <time>#<graph_id> | title, current revision             |
| ACCOUNT#<id> | TOOLSERVER#<name>    |                    |                   | its URL, names of its headers       |
"""

from datetime import UTC, datetime

PARTITION_KEY = "PK"
SORT_KEY = "SK"
INDEX = "GSI1"
INDEX_PARTITION_KEY = "GSI1PK"
INDEX_SORT_KEY = "GSI1SK"
#: The TTL attribute: DynamoDB deletes the item some time after it; in seconds since 1970.
EXPIRES = "expires"

#: Prefixes of sort keys, for ``begins_with``.
PLANS = "PLAN#"
STEPS = "STEP#"
FILES = "FILE#"
EVENTS = "EVENT#"
CREDITS = "CREDIT#"
API_KEYS = "KEY#"
SHARES = "SHARE#"
REVISIONS = "REVISION#"
COMMENTS = "COMMENT#"
IMPLEMENTED = "IMPLEMENTED#"
SEAT = "SEAT#"
TOOL_SERVERS = "TOOLSERVER#"
#: The partition of runs that are running or waiting.
ACTIVE_RUNS = "ACTIVE_RUNS"
#: The partition that the watchdog reads: one small item for each plan whose run has not ended.
ACTIVE = "ACTIVE"
#: The partition of plans whose files and items are being erased.
DELETED = "DELETED"
#: The partition of credits that are reserved for runs.
RESERVED = "RESERVED"
#: The partition of slots for long polls.
SEATS = "SEATS"

Key = dict[str, str]


def plan_partition(plan_id: str) -> str:
    """Return the partition that holds all items of a plan."""
    return f"PLAN#{plan_id}"


def account_partition(account: str) -> str:
    """Return the partition of an account, in the table and in the index."""
    return f"ACCOUNT#{account}"


def plan_key(plan_id: str) -> Key:
    """Return the key of the plan itself."""
    return _key(plan_partition(plan_id), "PLAN")


def user_key(plan_id: str) -> Key:
    """Return the key of the item that lists a plan for the account that it was made for."""
    return _key(plan_partition(plan_id), "USER")


def plan_index_partition(account: str, *, archived: bool) -> str:
    """Return the index partition of an account's plans, or of its archived plans."""
    return account_partition(account) + ("#ARCHIVED" if archived else "")


def plan_index_key(account: str, created_at: datetime, plan_id: str, *, archived: bool = False) -> Key:
    """Return the attributes that list a plan under its account; *created_at* has a time zone."""
    return {
        INDEX_PARTITION_KEY: plan_index_partition(account, archived=archived),
        INDEX_SORT_KEY: f"{PLANS}{sortable_time(created_at)}#{plan_id}",
    }


def step_key(plan_id: str, number: str) -> Key:
    """Return the key of a finished step; *number* as in the file names: ``016``."""
    return _key(plan_partition(plan_id), f"{STEPS}{number}")


def file_key(plan_id: str, path: str) -> Key:
    """Return the key of a file's description; *path* within the plan: ``016-2-expert_criticism.md``."""
    return _key(plan_partition(plan_id), f"{FILES}{path}")


def event_key(plan_id: str, cursor: str) -> Key:
    """Return the key of an entry of the event log; cursors sort as text."""
    return _key(plan_partition(plan_id), f"{EVENTS}{cursor}")


def seen_key(plan_id: str, event_id: str) -> Key:
    """Return the key that marks an event as logged."""
    return _key(plan_partition(plan_id), f"SEEN#{event_id}")


def active_key(plan_id: str) -> Key:
    """Return the key that marks a plan as pending or processing, for the watchdog."""
    return _key(ACTIVE, f"{PLANS}{plan_id}")


def deleted_key(plan_id: str) -> Key:
    """Return the key that marks a deleted plan until nothing of it is left."""
    return _key(DELETED, f"{PLANS}{plan_id}")


def seat_key(seat: int) -> Key:
    """Return the key of a slot for a long poll."""
    return _key(SEATS, f"{SEAT}{seat}")


def turns_key() -> Key:
    """Return the key of the run queue."""
    return _key("RUNNING", "RUNS")


def account_key(account: str) -> Key:
    """Return the key of an account."""
    return _key(account_partition(account), "ACCOUNT")


def credit_key(account: str, entry_id: str) -> Key:
    """Return the key of a ledger entry; write it only if it does not exist."""
    return _key(account_partition(account), f"{CREDITS}{entry_id}")


def reserved_key(name: str) -> Key:
    """Return the key of the credits reserved for a run; *name* is that of the reservation."""
    return _key(RESERVED, f"RUN#{name}")


def implementation_partition(plan_id: str) -> str:
    """Return the partition that holds all items of an implementation plan."""
    return f"IMPLEMENTATION#{plan_id}"


def implementation_key(plan_id: str) -> Key:
    """Return the key of an implementation plan's view."""
    return _key(implementation_partition(plan_id), "PLAN")


def implementation_index_key(account: str, updated_at: datetime, plan_id: str) -> Key:
    """Return the attributes that list an implementation plan under its account, by the time of its last save."""
    return {
        INDEX_PARTITION_KEY: implementations_of(account),
        INDEX_SORT_KEY: f"{sortable_time(updated_at)}#{plan_id}",
    }


def implementations_of(account: str) -> str:
    """Return the index partition of an account's implementation plans."""
    return f"IMPLEMENTATIONS#{account}"


def revision_key(plan_id: str, number: int) -> Key:
    """Return the key of the description of a revision; numbers sort as text up to 999,999."""
    return _key(implementation_partition(plan_id), f"{REVISIONS}{number:06}")


def comment_key(plan_id: str, at: datetime, comment_id: str) -> Key:
    """Return the key of a comment; comments sort by time."""
    return _key(implementation_partition(plan_id), f"{COMMENTS}{sortable_time(at)}#{comment_id}")


def implemented_key(plan_id: str, implementation_id: str) -> Key:
    """Return the key that lists, under a strategic plan, an implementation plan that was made from it."""
    return _key(plan_partition(plan_id), f"{IMPLEMENTED}{implementation_id}")


def run_partition(run_id: str) -> str:
    """Return the partition that holds all items of a run."""
    return f"RUN#{run_id}"


def run_key(run_id: str) -> Key:
    """Return the key of a run."""
    return _key(run_partition(run_id), "RUN")


def run_listed_key(run_id: str) -> Key:
    """Return the key of the item that lists a run for its account."""
    return _key(run_partition(run_id), "LISTED")


def runs_of(account: str) -> str:
    """Return the index partition of an account's runs."""
    return f"RUNS#{account}"


def run_event_key(run_id: str, sequence: int) -> Key:
    """Return the key of a row of a run's log; rows sort as text up to 999,999,999."""
    return _key(run_partition(run_id), f"{EVENTS}{sequence:09}")


def active_run_key(account: str, run_id: str) -> Key:
    """Return the key that marks a run as running or waiting."""
    return _key(ACTIVE_RUNS, f"RUN#{account}#{run_id}")


def graph_key(graph_id: str) -> Key:
    """Return the key of a graph."""
    return _key(f"GRAPH#{graph_id}", "GRAPH")


def graphs_of(account: str) -> str:
    """Return the index partition of an account's graphs."""
    return f"GRAPHS#{account}"


def index_key(partition: str, at: datetime, name: str) -> Key:
    """Return the attributes that put an item into a list by time."""
    return {INDEX_PARTITION_KEY: partition, INDEX_SORT_KEY: f"{sortable_time(at)}#{name}"}


def tool_server_key(account: str, name: str) -> Key:
    """Return the key of a tool server."""
    return _key(account_partition(account), f"{TOOL_SERVERS}{name}")


def account_key_key(account: str, sha256: str) -> Key:
    """Return the key that lists an API key under its account."""
    return _key(account_partition(account), f"{API_KEYS}{sha256}")


def api_key_key(sha256: str) -> Key:
    """Return the key of an API key; *sha256* is the digest of the whole key in hex, never the key."""
    return _key(f"KEY#{sha256}", "KEY")


def share_key(sha256: str) -> Key:
    """Return the key of a shared link; *sha256* is the digest of its token in hex, never the token."""
    return _key(f"SHARE#{sha256}", "SHARE")


def plan_share_key(plan_id: str, sha256: str) -> Key:
    """Return the key that lists a shared link under its plan."""
    return _key(plan_partition(plan_id), f"{SHARES}{sha256}")


def sortable_time(at: datetime) -> str:
    """Return *at* in UTC with microseconds, always 27 characters, so that text order is time order.

    Raises ValueError without a time zone: a naive time would sort by the local time of its writer.
    """
    if at.tzinfo is None:
        raise ValueError("a time in a key needs a time zone")
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _key(partition: str, sort: str) -> Key:
    return {PARTITION_KEY: partition, SORT_KEY: sort}
