/** Programs over everything that the account has, run in a session of this tab. */
import type { Answer } from "./answers.ts";
import { ApiError, type Client } from "./client.ts";

type Context = Answer<"programs_session">;
type Executed = Answer<"programs_execute">;
export type Outcome = Extract<Executed, { handle: string }>;
export type Plan = Extract<Executed, { verdict: string }>;
export type Returned = Outcome["results"][number];

interface Asked {
  mode?: "plan";
  plan_commit_ref?: string;
}

/** Runs programs in one session, which is opened with the first of them, and again where it expired. */
export class ProgramSession {
  private path: Promise<string> | null = null;

  constructor(private readonly api: Client) {}

  /** Return what a program would do. Raises ApiError. */
  plan(program: string): Promise<Plan> {
    return this.send<Plan>(program, { mode: "plan" });
  }

  /** Run a program; one that needs a review is only run with the reference of its dry run. Raises ApiError. */
  run(program: string, reference = ""): Promise<Outcome> {
    return this.send<Outcome>(program, reference ? { plan_commit_ref: reference } : {});
  }

  private async send<T>(program: string, asked: Asked): Promise<T> {
    const call = { method: "POST" as const, body: { program, ...asked } };
    try {
      return await this.api.json<T>(await this.opened(), call);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "unknown_session")) throw error;
      this.path = null;
      return this.api.json<T>(await this.opened(), call);
    }
  }

  private opened(): Promise<string> {
    this.path ??= this.api
      // the answer leads on to the session
      .json<Context>("../execute", { method: "POST", body: {} })
      .then((found) => `..${found.execute_path}`)
      .catch((error: unknown) => {
        this.path = null;
        throw error;
      });
    return this.path;
  }
}

/** The line about an operation in the Markdown of an answer; empty where it has none. */
export function lineOf(markdown: string): string {
  return /```text\n(.*?)\n```/s.exec(markdown)?.[1]?.replaceAll("`", "") ?? "";
}

/** What an answer says beside its line and its rows, which are shown on their own. */
export function textOf(outcome: Outcome): string {
  const text = outcome.run_markdown.replace(/```text\n.*?\n```/s, "").trim();
  return outcome.results.length > 0 ? "" : text;
}
