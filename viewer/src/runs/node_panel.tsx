/** One node of a workflow: its contract beside attempts, checks and artifacts. */
import type { Attempt, CheckResult, WorkflowNode } from "../api/workflows.ts";
import { attemptsOf } from "../api/workflows.ts";
import { useSession } from "../api_context.ts";
import { JsonText } from "../parts/json_text.tsx";
import { StatePill } from "../parts/state_pill.tsx";
import { exactly } from "../parts/times.ts";
import { Trouble } from "../parts/trouble.tsx";
import { paths } from "../route.ts";
import { useLoaded } from "../use_loaded.ts";
import { ArtifactItem } from "./artifact_item.tsx";
import { Panel } from "./step_panel.tsx";
import { SubmitForm } from "./submit_form.tsx";

interface Props {
  runId: string;
  /** Raised by everything that happens to the run. */
  version: number;
  node: WorkflowNode;
  /** The schema of its output, if it has one. */
  schema: unknown;
  submitted: () => void;
  close: () => void;
}

export function NodePanel({ runId, version, node, schema, submitted, close }: Props) {
  const { api } = useSession();
  const { contract } = node;
  const attempts = useLoaded((signal) => attemptsOf(api, runId, contract.id, signal), `${runId}/${contract.id}/${version}`);
  return (
    <Panel
      kind={
        <>
          <code>{contract.id}</code> <StatePill state={node.status} />
        </>
      }
      title={contract.label || contract.id}
      close={close}
    >
      <p className="row-facts">
        <span>{contract.type}</span>
        <span>
          {contract.owner.executorType} {contract.owner.ref}
        </span>
        {node.claimedBy && <span>claimed by {node.claimedBy}</span>}
        {node.deadline && <span>until {exactly(node.deadline)}</span>}
        {node.approvalId && <a href={paths.approvalList}>approval</a>}
        {node.childRunId && <ChildLink id={node.childRunId} />}
      </p>
      {node.reason && (
        <div className="notice held">
          <div>
            <p>{node.reason}</p>
          </div>
        </div>
      )}
      <Texts title="What the next attempt must do better" texts={node.feedback} />
      {node.status === "awaiting-human" && !node.approvalId && (
        <SubmitForm runId={runId} contract={contract} schema={schema} submitted={submitted} />
      )}
      <section>
        <h3>Contract</h3>
        {contract.objective && <p className="prose">{contract.objective}</p>}
        {contract.instructions && <p className="prose muted">{contract.instructions}</p>}
        <Texts title="Success criteria" texts={contract.successCriteria ?? []} />
        <details>
          <summary>All of it</summary>
          <JsonText value={contract} label="Contract" />
        </details>
      </section>
      <section>
        <h3>
          Attempts <span className="muted">{node.attempts}</span>
        </h3>
        {attempts.error && <Trouble error={attempts.error} again={attempts.reload} />}
        <ul className="items">
          {attempts.data?.toReversed().map((attempt) => (
            <AttemptItem key={attempt.id} attempt={attempt} />
          ))}
        </ul>
      </section>
      {node.artifacts.length > 0 && (
        <section>
          <h3>Artifacts</h3>
          <ul className="items">
            {node.artifacts.map((artifact) => (
              <ArtifactItem key={artifact.pointer} runId={runId} artifact={artifact} />
            ))}
          </ul>
        </section>
      )}
      <Value title="Input" value={node.input} />
      <Value title="Output" value={node.output} />
    </Panel>
  );
}

/** Begins the ids of runs of graphs that a node waits for. */
const GRAPH_RUN = "graphRun:";

function ChildLink({ id }: { id: string }) {
  return id.startsWith(GRAPH_RUN) ? (
    <a href={paths.run(id.slice(GRAPH_RUN.length))}>run of the graph</a>
  ) : (
    <a href={paths.workflow(id)}>workflow of this node</a>
  );
}

function AttemptItem({ attempt }: { attempt: Attempt }) {
  return (
    <li>
      <b>{attempt.number}</b> <StatePill state={attempt.outcome} /> {attempt.executor}
      {attempt.notes && <p className="prose">{attempt.notes}</p>}
      <ul className="checks">
        {attempt.checks?.map((check, index) => (
          <CheckItem key={index} check={check} />
        ))}
      </ul>
    </li>
  );
}

function CheckItem({ check }: { check: CheckResult }) {
  return (
    <li className={check.passed ? "good" : check.blocking ? "bad" : "held"}>
      <span aria-hidden="true">{check.passed ? "✓" : "✗"}</span> {check.type} {check.description} {check.passed ? "passed" : "failed"}
      {check.findings?.map((finding, index) => (
        <p key={index}>
          <code>{finding.path}</code> {finding.message} {finding.expected}
        </p>
      ))}
    </li>
  );
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className="bullets">
        {texts.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

function Value({ title, value }: { title: string; value: unknown }) {
  if (value === null || value === undefined || JSON.stringify(value) === "{}") return null;
  return (
    <section>
      <h3>{title}</h3>
      <JsonText value={value} label={title} />
    </section>
  );
}
