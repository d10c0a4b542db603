/** The comments on a plan or on a step. */
import { type FormEvent, useState } from "react";
import { addComment, planComments } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { ago, exactly } from "../parts/times.ts";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { asApiError, useLoaded } from "../use_loaded.ts";

export function Comments({ planId, stepId }: { planId: string; stepId: string | null }) {
  const { api } = useSession();
  const found = useLoaded((signal) => planComments(api, planId, signal), `${planId}/comments`);
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const shown = found.data?.filter((each) => !stepId || each.stepId === stepId) ?? [];

  async function send(event: FormEvent) {
    event.preventDefault();
    try {
      const made = await addComment(api, planId, text.trim(), stepId);
      found.replace([...(found.data ?? []), made]);
      setText("");
      setError(null);
    } catch (refused) {
      setError(asApiError(refused).message);
    }
  }

  return (
    <>
      {found.error && <Trouble error={found.error} again={found.reload} />}
      {!found.data && found.loading && <Waiting rows={2} />}
      {found.data && shown.length === 0 && <p className="muted">No comments yet.</p>}
      <ul className="items">
        {shown.map((each) => (
          <li key={each.commentId}>
            <p className="prose">{each.text}</p>
            <span className="hint">
              {each.author}
              {!stepId && each.stepId ? ` on ${each.stepId}` : ""} ·{" "}
              <time dateTime={each.createdAt} title={exactly(each.createdAt)}>
                {ago(each.createdAt)}
              </time>
            </span>
          </li>
        ))}
      </ul>
      <form className="form" onSubmit={send}>
        <label className="field">
          <span>Your comment</span>
          <textarea rows={3} value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        {error && (
          <p className="notice bad" role="alert">
            {error}
          </p>
        )}
        <button type="submit" className="button" disabled={!text.trim()}>
          Comment
        </button>
      </form>
    </>
  );
}
