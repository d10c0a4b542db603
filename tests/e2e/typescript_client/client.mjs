// A second client, by other hands than ours: the TypeScript SDK drafts a plan and downloads what came out.
// node client.mjs URL KEY < prompt: prints one line of JSON, with what it saw or with why it was turned away.

import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const TERMINAL = ["completed", "failed", "stopped"];
const [url, key] = process.argv.slice(2);

async function call(client, name, args) {
  // the SDK checks structuredContent against the tool's outputSchema, and throws where it does not fit
  const result = await client.callTool({ name, arguments: args });
  if (JSON.stringify(JSON.parse(result.content[0].text)) !== JSON.stringify(result.structuredContent)) {
    throw new Error(`${name}: the text is not the structured content`);
  }
  return { isError: Boolean(result.isError), ...result.structuredContent };
}

async function draft(client, prompt) {
  const { plan_id } = await call(client, "plan_create", { prompt });
  const seen = [];
  let status;
  do {
    await new Promise((resolve) => setTimeout(resolve, 100));
    status = await call(client, "plan_status", { plan_id });
    seen.push(status.steps_completed);
  } while (!TERMINAL.includes(status.state));
  return { plan_id, state: status.state, steps: seen };
}

async function download(client, plan_id, artifact) {
  const info = await call(client, "plan_file_info", { plan_id, artifact });
  const bytes = Buffer.from(await (await fetch(info.download_url)).arrayBuffer());
  const whole = createHash("sha256").update(bytes).digest("hex") === info.sha256;
  return { bytes: bytes.length, whole };
}

async function work() {
  const client = new Client({ name: "planloom-test", version: "1.0.0" });
  const requestInit = { headers: key ? { "X-API-Key": key } : {} };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  const bad = await call(client, "plan_status", { plan_id: "not-a-uuid" });
  const drafted = await draft(client, await text(process.stdin));
  const files = {};
  for (const artifact of ["report", "zip"]) files[artifact] = await download(client, drafted.plan_id, artifact);
  await client.close();
  return { tools, error: bad.error.code, isError: bad.isError, ...drafted, files };
}

try {
  console.log(JSON.stringify(await work()));
} catch (error) {
  console.log(JSON.stringify({ refused: error.code ?? null, message: String(error.message) }));
  process.exitCode = 1;
}
