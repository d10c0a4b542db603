"""The plane of strategic plans."""

from planloom.core import errors
from planloom.core.plane import Plane
from planloom.planes.strategic.endpoints import ENDPOINTS
from planloom.planes.strategic.entities import ENTITIES, OPERATIONS
from planloom.planes.strategic.prompts import PROMPTS

#: Which version of the plan interface is spoken here (14.1).
PLANEXE_VERSION = "1.0"
#: How it is advertised among the capabilities of the MCP server.
PLAN_INTERFACE = {"planexe/interface": {"planexe.version": PLANEXE_VERSION}}

#: The agent-facing summary of section 1.2.1: what planloom does, in which order to call what, what comes out.
INSTRUCTIONS = """\
planloom turns a plain-English goal into a strategic project-plan draft of 20+ sections: executive summary,
interactive Gantt chart, investor pitch, SWOT, governance, team profiles, work breakdown, scenario comparison, expert
criticism, and adversarial sections (premortem, self-audit, premise attacks) that stress-test the plan. It takes about
10-20 minutes with language models, under a minute without. The output is a draft to refine, not an executable or
final document, but it surfaces hard questions that the prompter may not have considered.

Required order:
1. Optionally call example_plans, to show the user what comes out. Call example_prompts. Optionally call
   model_profiles to see which models are available.
2. Not a tool: formulate a detailed prompt as flowing prose (no headers, no bullet lists), typically 300-800 words,
   with the examples as a baseline. Include objective, scope, constraints, timeline, stakeholders, budget and
   resources, and success criteria, with banned words or approaches and governance inline. Recommended: call plan_facts
   with it. Nothing is started; it says what is understood, what is unclear and what a plan would cost. Show the user
   total, deadline, people and bans, and ask what facts.questions asks. Get the user's approval.
3. Only then call plan_create. Keep its plan_id. After plan_facts pass facts: its facts_id, and the answers and
   corrections as fields of it.
4. Poll plan_status, at most every poll_after_sec seconds, or call plan_wait, which waits for 20 seconds at most.
   pending and processing: keep polling. completed: download now. failed: terminal, read error. stopped: plan_stop was
   called, or it was derived and not started. Failed or stopped before completing all steps: plan_resume continues
   without discarding completed work; plan_retry is a full restart.
5. When completed, call plan_file_info with artifact "report" (self-contained interactive HTML, open it in a browser)
   or "zip" (the intermediary files: md, json, csv), and fetch download_url. To stop a plan, call plan_stop.
Each plan_create makes a plan of its own, with the same prompt too: keep your own list of plan_ids. Start with one plan
at a time, two where needed; more than four side by side are hard to keep track of.

Do not use it for one-shot micro-tasks (a checklist, a summary, a rewritten e-mail): answer those directly. The
pipeline is fixed end to end; single sections cannot be ordered. These are tools, not MCP tasks: do not use "Run as
task". planexe.version = "1.0"
"""

STRATEGIC = Plane(
    name="strategic",
    title="planloom: strategic plans",
    mcp_path="/mcp",
    server_name="planloom",
    instructions=INSTRUCTIONS,
    endpoints=ENDPOINTS,
    error_statuses={
        errors.PlanNotFailed: 409,
        errors.PlanNotResumable: 409,
        errors.PipelineVersionMismatch: 409,
        errors.InvalidUserApiKey: 403,
        errors.UserApiKeyRequired: 403,
        errors.ModelProfilesUnavailable: 503,
        errors.PlanActive: 409,
        errors.PlanArchived: 409,
        errors.ArtifactNotFound: 404,
        errors.ArtifactConflict: 409,
        errors.ArtifactTooLarge: 413,
        errors.RangeNotSatisfiable: 416,
        errors.GenerationFailed: 409,
        errors.ContentUnavailable: 503,
        errors.FactsNotFound: 404,
    },
    # a language model outside reads goals and writes plans
    open_world=True,
    prompts=PROMPTS,
    extensions=PLAN_INTERFACE,
    entities=ENTITIES,
    operations=OPERATIONS,
)
