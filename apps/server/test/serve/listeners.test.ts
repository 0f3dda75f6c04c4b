import { memoryStorage } from "@x/list-store";
import { expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { startLoggedServer } from "../support/logged-server.ts";

const ANY_PORT = { kind: "tcp", host: "127.0.0.1", port: 0 } as const;

test("metrics and health are served only to operators, who get nothing else", async () => {
  const storage = memoryStorage();
  const signer = await newSigner();
  await publisher(storage, signer)("malware", ["a.example/"]);
  const server = await startLoggedServer(storage, signer, { admin: ANY_PORT });
  const status = async (origin: string, path: string) => (await fetch(origin + path)).status;
  for (const path of ["/metrics", "/readyz", "/healthz"]) {
    expect(await status(server.adminOrigin!, path)).toBe(200);
    expect(await status(server.origin, path)).toBe(404);
  }
  for (const path of ["/", "/v5/hashLists", "/lookup", "/openapi.json"]) {
    expect(await status(server.adminOrigin!, path)).toBe(404);
  }
  const posted = await fetch(`${server.adminOrigin}/metrics`, { method: "POST", body: "x" });
  expect(posted.status).toBe(404);
  await server.stop();
});
