/** A new plan: a goal is written, seen being understood, corrected, quoted and started. */
import { useEffect, useState } from "react";
import type { FactsGiven, ModelProfile } from "../api/facts.ts";
import { createPlan, type ModelProfiles, modelProfiles } from "../api/plans.ts";
import type { ApiError } from "../api/client.ts";
import { useSession } from "../api_context.ts";
import { forgetDraft, requestId, storeDraft, storedDraft, type Draft } from "../goal/draft.ts";
import { ExampleChoice } from "../goal/example_choice.tsx";
import { GoalEditor } from "../goal/goal_editor.tsx";
import { Questions, Unclear } from "../goal/left_open.tsx";
import { FEWEST_WORDS, wordsOf } from "../goal/parts.ts";
import { DetailChoice, ProfileChoice, QuoteFigures } from "../goal/profile_choice.tsx";
import { Understood } from "../goal/understood.tsx";
import { useReading, type Reading } from "../goal/use_reading.ts";
import { LeaveQuestion } from "../parts/leave_question.tsx";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { go, paths } from "../route.ts";
import { asApiError, useLoaded } from "../use_loaded.ts";

export function NewStrategicScreen() {
  const { api } = useSession();
  const profiles = useLoaded((signal) => modelProfiles(api, signal), "profiles");
  return (
    <main id="main" className="page wide" tabIndex={-1}>
      <div className="heading">
        <h1>New plan</h1>
        <p className="muted">Write the goal and see what is understood of it. Nothing is drafted or paid for before you start the plan.</p>
      </div>
      {profiles.data ? <NewPlan profiles={profiles.data} /> : profiles.error ? <Trouble error={profiles.error} again={profiles.reload} /> : <Waiting />}
    </main>
  );
}

function NewPlan({ profiles }: { profiles: ModelProfiles }) {
  const [draft, setDraft] = useState(() => known(storedDraft(), profiles));
  const [planId, setPlanId] = useState("");
  const reading = useReading(draft, byRules(profiles, draft.profile));
  const change = (changed: Partial<Draft>) => setDraft((was) => ({ ...was, ...changed }));
  const write = (goal: string) => change({ goal });
  const give = (given: FactsGiven) => change({ given });
  const facts = reading.answer?.facts;

  useEffect(() => {
    if (planId) forgetDraft();
    else storeDraft(draft);
  }, [draft, planId]);
  useEffect(() => {
    // after the question below has let go of the screen
    if (planId) go(paths.strategic(planId));
  }, [planId]);

  return (
    <div className="new-plan">
      <LeaveQuestion
        held={draft.goal.trim() !== "" && !planId}
        title="This plan is not started"
        lose="Discard the goal"
        onLose={() => (setDraft({ ...draft, goal: "" }), forgetDraft())}
        save="Keep it and leave"
        keep={async () => true}
      >
        Keep the goal, and New plan shows it again for as long as this tab is open and you are signed in.
      </LeaveQuestion>
      <section className="new-goal" aria-label="The goal">
        <ExampleChoice goal={draft.goal} load={(goal) => change({ goal, given: {} })} />
        <GoalEditor goal={draft.goal} parts={reading.answer?.goal ?? []} reading={reading.busy} change={write} />
        {reading.error && <Trouble error={reading.error} again={reading.again} />}
      </section>
      <div className="new-read">
        {facts ? (
          <>
            <Questions facts={facts} given={draft.given} give={give} append={(sentence) => write(`${draft.goal.trimEnd()}\n\n${sentence}`)} />
            <section aria-labelledby="understood">
              <h2 id="understood">What was understood</h2>
              <p className="hint">{howRead(reading)}</p>
              <Understood facts={facts} given={draft.given} give={give} />
            </section>
            <Unclear facts={facts} parts={reading.answer?.goal ?? []} />
          </>
        ) : (
          <Empty title="Not read yet">
            <p>Write at least {FEWEST_WORDS} words: total, deadline, people, places and bans appear here as they are understood.</p>
          </Empty>
        )}
      </div>
      <StartPlan draft={draft} profiles={profiles} reading={reading} choose={change} started={setPlanId} />
    </div>
  );
}

interface StartPlanProps {
  draft: Draft;
  profiles: ModelProfiles;
  reading: Reading;
  choose: (changed: Partial<Draft>) => void;
  started: (planId: string) => void;
}

function StartPlan({ draft, profiles, reading, choose, started }: StartPlanProps) {
  const { api } = useSession();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  // the same plan asked for again, after an error or by a second click, is the same plan
  const [request, setRequest] = useState({ of: "", id: "" });
  const { answer } = reading;
  const enough = wordsOf(draft.goal) >= FEWEST_WORDS;
  const start = () => {
    const facts = { ...draft.given, ...(reading.byProfile && answer && { facts_id: answer.facts_id }) };
    const of = JSON.stringify([draft.goal, draft.profile, draft.detail, facts]);
    const id = request.of === of ? request.id : requestId();
    setRequest({ of, id });
    setBusy(true);
    setError(null);
    createPlan(api, { prompt: draft.goal, model_profile: draft.profile, detail: draft.detail, ...(Object.keys(facts).length > 0 && { facts }), client_request_id: id }).then(
      (made) => started(made.plan_id),
      (refused: unknown) => {
        setError(asApiError(refused));
        setBusy(false);
      },
    );
  };
  return (
    <section className="new-start" aria-label="Draft the plan">
      <ProfileChoice profiles={profiles} chosen={draft.profile} choose={(profile) => choose({ profile })} />
      <DetailChoice chosen={draft.detail} choose={(detail) => choose({ detail })} />
      {answer && answer.quote.model_profile === draft.profile && answer.quote.detail === draft.detail && <QuoteFigures quote={answer.quote} />}
      {error && <Trouble error={error} again={start} />}
      <div className="chips">
        {!byRules(profiles, draft.profile) && !reading.byProfile && (
          <button type="button" className="button" disabled={!enough || reading.busy} onClick={reading.readByProfile}>
            Read the goal with the model
          </button>
        )}
        <button type="button" className="button primary" disabled={!enough || busy} onClick={start}>
          {busy ? "Starting…" : "Start the plan"}
        </button>
      </div>
    </section>
  );
}

/** Return whether *profile* has no language model here, so that rules read the goal for it too. */
function byRules(profiles: ModelProfiles, profile: ModelProfile): boolean {
  const found = profiles.profiles.find((each) => each.profile === profile);
  return found !== undefined && found.models.every((model) => model.provider_class === "Outline");
}

/** Return *draft* with a profile that is there. */
function known(draft: Draft, { profiles, default_profile }: ModelProfiles): Draft {
  const names = profiles.map((each) => each.profile);
  const profile = [draft.profile, default_profile, ...names].find((each) => names.includes(each)) ?? default_profile;
  return { ...draft, profile };
}

function howRead({ answer, byProfile }: Reading): string {
  if (answer?.state === "failed") return `The model could not read the goal: ${answer.error?.message ?? "no reason was given"} Rules read it instead.`;
  if (answer?.state === "reading") return "The model reads the goal; meanwhile this is what rules read.";
  if (byProfile && answer?.facts.read_by === "model") return "The model read the goal, and programs verified each fact against its words.";
  return "Read by rules, which state only what is explicit. Correct what is wrong: the plan is built on this.";
}
