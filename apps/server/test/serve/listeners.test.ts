import { memoryStorage } from "@x/list-store";
import { expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { startLoggedServer } from "../support/logged-server.ts";
import { frame, GRPC_HEADERS, plainGrpc } from "../support/plain-grpc.ts";

const ANY_PORT = { kind: "tcp", host: "127.0.0.1", port: 0 } as const;
const CHECK = "/grpc.health.v1.Health/Check";

async function started(lists: Readonly<Record<string, readonly string[]>>) {
  const storage = memoryStorage();
  const signer = await newSigner();
  const publish = publisher(storage, signer);
  for (const [list, entries] of Object.entries(lists)) await publish(list, [...entries]);
  return startLoggedServer(storage, signer, { admin: ANY_PORT, grpcPort: 0 });
}

test("metrics and health are served only to operators, who get nothing else", async () => {
  const server = await started({ malware: ["a.example/"] });
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
  const document = await (await fetch(`${server.origin}/openapi.json`)).text();
  expect(document).not.toContain("/metrics");
  await server.stop();
});

/** The bytes of a HealthCheckRequest for a service. */
const asking = (service: string) =>
  service === "" ? Buffer.alloc(0) : Buffer.from([10, service.length, ...Buffer.from(service)]);

test.each([
  ["SERVING, with a list", { malware: ["a.example/"] }, 1],
  ["NOT_SERVING, without any", {}, 2],
])("gRPC clients get %s", async (_, lists, status) => {
  const server = await started(lists);
  const client = plainGrpc(server.grpcOrigin!);
  const call = (path: string, message: Uint8Array) =>
    client.send({ ...GRPC_HEADERS, ":path": path }, [frame(message)]);
  for (const service of ["", "google.cloud.webrisk.v1.WebRiskService"]) {
    const { code, body } = await call(CHECK, asking(service));
    expect(code).toBe(0);
    expect([...body]).toEqual([8, status]);
  }
  expect((await call(CHECK, asking("other"))).code).toBe(5);
  expect((await call(CHECK, Buffer.from([10, 200]))).code).toBe(3);
  expect((await call("/grpc.health.v1.Health/Watch", asking(""))).code).toBe(12);
  client.close();
  await server.stop();
});
