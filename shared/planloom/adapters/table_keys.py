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
|              | ENTITY#<name>        |                    |                   | an entity declared for programs     |
|              | PROGRAM_POLICY       |                    |                   | what its programs must not do       |

Runs of workflows; a fact is one transaction over the run, its workstream where the run ends, and the fact's records:

| PK            | SK                  | GSI1PK              | GSI1SK          | what                                |
|---------------|---------------------|---------------------|-----------------|-------------------------------------|
| WORKFLOW#<id> | RUN                 | WORKFLOWS#<account> | <time>#<run_id> | version, the object with its nodes  |
|               | <kind>#<version>    |                     |                 | records that one fact made          |
| ACCOUNT#<id>  | WORKSTREAM#<id>     |                     |                 | its active run                      |
| EFFECTS       | <what>#<id>#<n>     |                     |                 | what follows from a change, until it|
|               |                     |                     |                 | is done; of runs and of approvals   |
|              | ACTIVE_RUNS          |                    |                   | how many runs run or wait           |
|              | BUDGET#<name>        |                    |                   | calls that several runs share       |
|              | SCHEDULE#<name>      |                    |                   | when a graph runs, and what it ran  |

Approvals and notifications:

| PK            | SK                  | GSI1PK                  | GSI1SK          | what                             |
|---------------|---------------------|-------------------------|-----------------|----------------------------------|
| APPROVAL#<id> | APPROVAL            | APPROVALS#<account>#<s> | <time>#<id>     | an approval; s: PENDING or ENDED |
| ACCOUNT#<id>  | WEBHOOK#<name>      |                         |                 | its URL and event classes        |
| DELIVERY#<id> | DELIVERY            | DELIVERIES#<a>#<name>   | <time>#<id>     | an event for a webhook; expires  |
| UNDELIVERED   | DELIVERY#<id>       |                         |                 | marks one that is to be sent     |

Sessions of programs; the operations of a session are runs:

| PK                  | SK                  | what                                                                 |
|---------------------|---------------------|----------------------------------------------------------------------|
| SESSION#<a>#<name>  | SESSION             | its counters and the numbers of its live operations; expires         |
|                     | COMMIT#<ref>        | a plan that was dry-run, and until when it is accepted; expires      |
|                     | OPERATION#<number>  | a run by its handle, its progress and its result; expires            |
|                     | PAGE#<handle>       | the value that holds what follows a page                             |

Links between planes, once at each end:

| PK                        | SK                | what                                                                 |
|---------------------------|-------------------|----------------------------------------------------------------------|
| LINKS#<a>#<plane>#<id>    | LINK#<plane>#<id> | that one was made from the other, and their steps                    |
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
BUDGETS = "BUDGET#"
SCHEDULES = "SCHEDULE#"
REVISIONS = "REVISION#"
COMMENTS = "COMMENT#"
IMPLEMENTED = "IMPLEMENTED#"
POLL_SLOT = "SEAT#"
TOOL_SERVERS = "TOOLSERVER#"
ENTITIES = "ENTITY#"
WORKSTREAMS = "WORKSTREAM#"
WEBHOOKS = "WEBHOOK#"
OPERATIONS = "OPERATION#"
#: The partition of deliveries to webhooks that are still to be sent.
UNDELIVERED = "UNDELIVERED"
#: The partition of what follows from changes of workflow runs and approvals and is still to be done.
EFFECTS = "EFFECTS"
#: The partition of runs that are running or waiting.
ACTIVE_RUNS = "ACTIVE_RUNS"
#: The partition that the watchdog reads: one small item for each plan whose run has not ended.
ACTIVE = "ACTIVE"
#: The partition of plans whose files and items are being erased.
DELETED = "DELETED"
#: The partition of credits that are reserved for runs.
RESERVED = "RESERVED"
#: The partition of slots for long polls.
POLL_SLOTS = "SEATS"

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


def poll_slot_key(slot: int) -> Key:
    """Return the key of a slot for a long poll."""
    return _key(POLL_SLOTS, f"{POLL_SLOT}{slot}")


def run_queue_key() -> Key:
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


def active_count_key(account: str) -> Key:
    """Return the key of the item that counts an account's running and waiting runs."""
    return _key(account_partition(account), ACTIVE_RUNS)


def budget_key(account: str, name: str) -> Key:
    """Return the key of a budget of calls."""
    return _key(account_partition(account), f"{BUDGETS}{name}")


def schedule_key(account: str, name: str) -> Key:
    """Return the key of a schedule of a graph."""
    return _key(account_partition(account), f"{SCHEDULES}{name}")


def graph_key(graph_id: str) -> Key:
    """Return the key of a graph."""
    return _key(f"GRAPH#{graph_id}", "GRAPH")


def graphs_of(account: str) -> str:
    """Return the index partition of an account's graphs."""
    return f"GRAPHS#{account}"


def workflow_partition(run_id: str) -> str:
    """Return the partition that holds all items of a run of a workflow."""
    return f"WORKFLOW#{run_id}"


def workflow_key(run_id: str) -> Key:
    """Return the key of a run of a workflow."""
    return _key(workflow_partition(run_id), "RUN")


def workflows_of(account: str) -> str:
    """Return the index partition of an account's runs of workflows."""
    return f"WORKFLOWS#{account}"


def workflow_record_key(run_id: str, kind: str, version: int) -> Key:
    """Return the key of the records of a kind that the fact with this version made."""
    return _key(workflow_partition(run_id), f"{kind}#{version:09}")


def effects_of(what: str, name: str) -> str:
    """Return the prefix of the sort keys of effects: *what* is RUN, SPEC or APPROVAL, *name* its id."""
    return f"{what}#{name}#"


def effects_key(what: str, name: str, version: int) -> Key:
    """Return the key of what follows from the change of *what* that led to *version*."""
    return _key(EFFECTS, f"{effects_of(what, name)}{version:09}")


def workstream_key(account: str, workstream_id: str) -> Key:
    """Return the key of a workstream."""
    return _key(account_partition(account), f"{WORKSTREAMS}{workstream_id}")


def index_key(partition: str, at: datetime, name: str) -> Key:
    """Return the attributes that put an item into a list by time."""
    return {INDEX_PARTITION_KEY: partition, INDEX_SORT_KEY: f"{sortable_time(at)}#{name}"}


def tool_server_key(account: str, name: str) -> Key:
    """Return the key of a tool server."""
    return _key(account_partition(account), f"{TOOL_SERVERS}{name}")


def entity_key(account: str, name: str) -> Key:
    """Return the key of an entity that an account declared."""
    return _key(account_partition(account), f"{ENTITIES}{name}")


def program_policy_key(account: str) -> Key:
    """Return the key of what programs of an account must not do."""
    return _key(account_partition(account), "PROGRAM_POLICY")


def approval_key(approval_id: str) -> Key:
    """Return the key of an approval."""
    return _key(f"APPROVAL#{approval_id}", "APPROVAL")


def approvals_of(account: str, *, pending: bool) -> str:
    """Return the index partition of an account's pending approvals, or of those that ended."""
    return f"APPROVALS#{account}#{'PENDING' if pending else 'ENDED'}"


def webhook_key(account: str, name: str) -> Key:
    """Return the key of a webhook."""
    return _key(account_partition(account), f"{WEBHOOKS}{name}")


def delivery_key(delivery_id: str) -> Key:
    """Return the key of a delivery to a webhook."""
    return _key(f"DELIVERY#{delivery_id}", "DELIVERY")


def deliveries_of(account: str, name: str) -> str:
    """Return the index partition of the deliveries to a webhook."""
    return f"DELIVERIES#{account}#{name}"


def undelivered_key(delivery_id: str) -> Key:
    """Return the key that marks a delivery as still to be sent, for the watchdog."""
    return _key(UNDELIVERED, f"DELIVERY#{delivery_id}")


def links_of(account: str, plane: str, name: str) -> str:
    """Return the partition of the links of what *plane* holds under the id *name*."""
    return f"LINKS#{account}#{plane}#{name}"


def link_key(account: str, plane: str, name: str, other_plane: str, other: str) -> Key:
    """Return the key of a link at one of its ends."""
    return _key(links_of(account, plane, name), f"LINK#{other_plane}#{other}")


def session_partition(account: str, name: str) -> str:
    """Return the partition that holds all items of a session of programs."""
    return f"SESSION#{account}#{name}"


def session_key(account: str, name: str) -> Key:
    """Return the key of a session."""
    return _key(session_partition(account, name), "SESSION")


def commit_key(account: str, session: str, ref: str) -> Key:
    """Return the key of the acceptance of a plan."""
    return _key(session_partition(account, session), f"COMMIT#{ref}")


def operation_key(account: str, session: str, number: int) -> Key:
    """Return the key of an operation of a session."""
    return _key(session_partition(account, session), f"{OPERATIONS}{number:09}")


def page_key(account: str, session: str, handle: str) -> Key:
    """Return the key of what follows a page."""
    return _key(session_partition(account, session), f"PAGE#{handle}")


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
