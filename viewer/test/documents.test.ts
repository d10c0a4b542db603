import { expect, test, vi } from "vitest";
import { Client, type Fetch } from "../src/api/client.ts";
import { uploadArtifact } from "../src/api/workflows.ts";
import { wantedDocuments } from "../src/runs/wanted_documents.ts";

const deliverable = (name: string, kind: string, required = true) => ({ name, kind, required, description: "" });
const check = (type: "artifact" | "deliverable", config: object, blocking = true) => ({ type, config: { ...config }, blocking, description: "" });

test("a node wants its deliverables, and what its checks demand beside them", () => {
  const deliverables = [deliverable("doc", "pdf"), deliverable("extra", "dataset", false), deliverable("notes", "text", false)];
  const checks = [
    check("deliverable", {}),
    check("deliverable", { name: "extra" }),
    check("artifact", { kind: "pdf", minCount: 2 }),
    check("artifact", { name: "picture" }, false),
    check("artifact", { name: "doc", verified: true }),
  ];
  expect(wantedDocuments({ deliverables, completionChecks: checks })).toEqual([
    deliverable("doc", "pdf"),
    deliverable("extra", "dataset"),
    deliverable("notes", "text", false),
    deliverable("pdf", "pdf"),
  ]);
});

test("a file is sent to the signed link without the key, and its pointer is returned", async () => {
  const link = { pointer: "upload:1", url: "https://s3.test/signed", contentType: "text/plain" };
  const send = vi.fn<Fetch>().mockImplementation(async (url) => new Response(url === link.url ? null : JSON.stringify(link)));
  const client = new Client("pex_secret", "https://a.test/v1/", send);

  await expect(uploadArtifact(client, "planRun:1", new Blob(["hello"], { type: "text/plain" }))).resolves.toBe("upload:1");

  const [asked, sent] = send.mock.calls;
  expect(asked?.[0]).toBe("https://a.test/v1/workflows/runs/planRun%3A1/uploads");
  expect(JSON.parse(asked?.[1]?.body as string)).toEqual({ size: 5, contentType: "text/plain" });
  expect([sent?.[0], sent?.[1]?.method, sent?.[1]?.headers]).toEqual([link.url, "PUT", { "Content-Type": "text/plain" }]);
});

test("a refused upload says so", async () => {
  const client = new Client("k", "https://a.test/", async () => new Response("no", { status: 403 }));
  await expect(client.put("https://s3.test/x", new Blob(["x"]), "text/plain")).rejects.toMatchObject({ status: 403, code: "UPLOAD_REFUSED" });
});
