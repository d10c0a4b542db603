/** Server-sent events out of an answer to fetch, which, unlike EventSource, can carry the key in a header. */

export interface StreamEvent {
  id: string;
  type: string;
  data: string;
}

/** Read the events of *answer* as they come; it may come in one piece or in many. */
export async function* readEvents(answer: Response): AsyncGenerator<StreamEvent> {
  if (!answer.body) return;
  const decoder = new TextDecoder();
  const reader = answer.body.getReader();
  let rest = "";
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      rest += decoder.decode(part.value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.releaseLock();
  }
}

/** Return the event of one block, or null where it holds only comments. */
export function parseEvent(block: string): StreamEvent | null {
  const event: StreamEvent = { id: "", type: "message", data: "" };
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ""] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === "id") event.id = value;
    else if (field === "event") event.type = value;
    else if (field === "data") data.push(value);
  }
  if (data.length === 0 && !event.id) return null;
  return { ...event, data: data.join("\n") };
}
