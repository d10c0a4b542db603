/** Questions to answer first, and what was not understood or contradicts itself in a goal. */
import { type FormEvent, type ReactNode, useState } from "react";
import type { FactsGiven, GoalPart, ShownFacts } from "../api/facts.ts";
import { FactForm } from "./fact_form.tsx";
import { corrected, dayInWords, FIELDS, isField, linesOf } from "./fields.ts";
import { unreadWords } from "./parts.ts";
import { shortened } from "./understood.tsx";

interface QuestionsProps {
  facts: ShownFacts;
  given: FactsGiven;
  give: (given: FactsGiven) => void;
  /** Takes a sentence that answers a question which no field holds: it becomes a part of the goal. */
  append: (sentence: string) => void;
}

export function Questions({ facts, given, give, append }: QuestionsProps) {
  const open = facts.questions.filter(({ field }) => !(isField(field) && given[field] !== undefined));
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="questions">
      <h2 id="questions">Answer first</h2>
      <ul className="questions">
        {open.map(({ question, field }) => (
          <li key={question}>
            <details>
              <summary>{question}</summary>
              {isField(field) ? (
                <FactForm
                  field={field}
                  start={linesOf(field, facts, given)[0]?.values ?? {}}
                  take={(item) => {
                    const lines = linesOf(field, facts, given);
                    give(corrected(given, field, lines, FIELDS[field].several ? lines.length : 0, item));
                  }}
                />
              ) : (
                <FreeAnswer question={question} append={append} />
              )}
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

function FreeAnswer({ question, append }: { question: string; append: (sentence: string) => void }) {
  const [text, setText] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    append(text.trim());
    setText("");
  };
  return (
    <form className="fact-form" onSubmit={submit}>
      <textarea rows={2} required aria-label={`Answer: ${question}`} placeholder="A sentence as it would be in the goal" value={text} onChange={(event) => setText(event.target.value)} />
      <div className="chips">
        <button type="submit" className="button small primary" disabled={!text.trim()}>
          Add it to the goal
        </button>
      </div>
    </form>
  );
}

/** What no fact holds, what no program could verify, and what cannot both hold; nothing where the goal is clear. */
export function Unclear({ facts, parts }: { facts: ShownFacts; parts: readonly GoalPart[] }) {
  const { contradictions, unverified, values, days } = facts;
  const unread = unreadWords(parts);
  return (
    <>
      {contradictions.length > 0 && <Listed title="Contradictions in the goal" tone="bad" items={contradictions} />}
      {unread.length > 0 && (
        <Listed
          title="Not understood: rephrase it, or continue without it"
          tone="held"
          items={unread.map(([before, words, after]) => (
            <>
              {before}
              <strong>{words}</strong>
              {after}
            </>
          ))}
        />
      )}
      {unverified.length > 0 && (
        <Listed
          title="Not verified, and so not used"
          tone="held"
          items={unverified.map(({ field, said, quote, reason }) => `${field}: ${said}${quote ? ` (“${shortened(quote)}”)` : ""}. ${reason}`)}
        />
      )}
      {values.length + days.length > 0 && (
        <details className="also">
          <summary>
            Also understood <span className="muted">{values.length + days.length}</span>
          </summary>
          <ul>
            {days.map((day, index) => (
              <li key={index} dir="auto">
                {day.earliest === day.latest ? dayInWords(day.earliest) : `${dayInWords(day.earliest)} to ${dayInWords(day.latest)}`} <q>{shortened(day.quote)}</q>
              </li>
            ))}
            {values.map(({ role, value, what, quote }, index) => (
              <li key={index} dir="auto">
                {[role === "other" ? "" : `${role}:`, value, what].filter(Boolean).join(" ")} <q>{shortened(quote)}</q>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Listed({ title, tone, items }: { title: string; tone: string; items: readonly ReactNode[] }) {
  return (
    <section className={`notice block ${tone}`}>
      <h3>{title}</h3>
      <ul className="bullets">
        {items.map((item, index) => (
          <li key={index} dir="auto">
            {item}
          </li>
        ))}
      </ul>
    </section>
  );
}
