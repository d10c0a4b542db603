/** Calls to the HTTP API beside the page: one origin, the key in a header, errors as the API words them. */

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** The key was not sent, is not valid or was revoked. */
  get refusesKey(): boolean {
    return this.status === 401 || this.code === "API_KEY_INVALID";
  }
}

export interface Call {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  query?: Record<string, string | number | null | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** How often a call that the service was too busy for is made again, and the pause before the first repeat. */
const TRIES = 4;
const PAUSE_MS = 400;

export class Client {
  constructor(
    private readonly key: string,
    private readonly base: string = new URL("../v1/", document.baseURI).href,
    private readonly send: Fetch = (input, init) => fetch(input, init),
  ) {}

  /** Return the JSON answer; undefined where there is none yet (204). Raises ApiError. */
  async json<T>(path: string, call: Call = {}): Promise<T> {
    const answer = await this.raw(path, call);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }

  /** Return the answer as it came. Raises ApiError where it is a refusal, or where none came (status 0). */
  async raw(path: string, call: Call = {}): Promise<Response> {
    for (let tried = 1; ; tried++) {
      const answer = await this.once(path, call);
      if (answer.ok) return answer;
      const error = await refusal(answer);
      const busy = answer.status === 429 || (answer.status >= 502 && (call.method ?? "GET") === "GET");
      if (!busy || tried === TRIES) throw error;
      await pause(PAUSE_MS * 2 ** (tried - 1), call.signal);
    }
  }

  /** Send *content* to a signed link, without the key. Raises ApiError. */
  async put(url: string, content: Blob, type: string): Promise<void> {
    const answer = await this.sent(url, { method: "PUT", headers: { "Content-Type": type }, body: content });
    if (!answer.ok) throw new ApiError(answer.status, "UPLOAD_REFUSED", `The upload was refused (HTTP ${answer.status}). Choose the file again.`);
  }

  private once(path: string, call: Call): Promise<Response> {
    const url = new URL(path, this.base);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { "X-API-Key": this.key, ...call.headers };
    if (call.body !== undefined) headers["Content-Type"] = "application/json";
    return this.sent(url.href, {
      method: call.method ?? "GET",
      headers,
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: call.signal ?? null,
    });
  }

  private async sent(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.send(url, { ...init, cache: "no-store", credentials: "omit" });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new ApiError(0, "UNREACHABLE", "The service does not answer. Check that it runs and that you are online, then try again.");
    }
  }
}

/** Wait *ms* milliseconds, or until the signal ends it. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("ended", "AbortError"));
    });
  });
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

async function refusal(answer: Response): Promise<ApiError> {
  const found = (await answer.json().catch(() => ({}))) as {
    error?: { code?: string; message?: string; details?: Record<string, unknown> };
    code?: string;
    detail?: string;
  };
  // programs refuse with problem documents (RFC 9457)
  const { code, message, details } = found.error ?? { code: found.code, message: found.detail, details: { ...found } };
  return new ApiError(
    answer.status,
    code ?? "INTERNAL_ERROR",
    message ?? `The service answered ${answer.status} without a reason. Try again in a few seconds.`,
    details,
  );
}
