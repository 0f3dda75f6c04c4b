import { memoryStorage } from "@x/list-store";
import { sampleSize } from "@x/test-support/sample-size";
import { writeRequest } from "@x/wire";
import { fetchThreatListUpdates } from "@x/wire/v4";
import { computeThreatListDiff } from "@x/wire/web-risk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { codedUpdates, prepareUpdates } from "../../src/serve/updates/coded-updates.ts";
import { AT_ONCE } from "../../src/serve/worker-thread/run-job.ts";
import { recordedAside } from "../support/recorded-aside.ts";
import { type TestServer, testServer } from "../support/serving.ts";

const signer = await newSigner();
const NOW = Date.now();

/** Returns the targets of requests for the list in each protocol. `token` is in base64. */
function targetsFor(token: string): [v5: string, v4: string, webRisk: string] {
  const version = Buffer.from(token, "base64");
  const constraints = { supportedCompressions: ["RICE"] as const };
  const types = { threatType: "MALWARE", platformType: "LINUX", threatEntryType: "URL" } as const;
  const request = { listUpdateRequests: [{ ...types, state: version, constraints }] };
  return [
    `/v5/hashList/mw-4b?alt=json&version=${encodeURIComponent(token)}`,
    writeRequest(fetchThreatListUpdates, request, { form: "$req" }).target,
    writeRequest(computeThreatListDiff, {
      ...{ threatType: "MALWARE", versionToken: version, constraints },
    }).target,
  ];
}

let clients = 0;
/** Returns the answer to a client that has not asked before. */
async function ask(server: TestServer, target: string): Promise<Buffer> {
  const { status, body } = await server.get(target, {}, `client ${clients++}`);
  expect(status).toBe(200);
  return Buffer.from(body);
}

test("updates that are made before a version is served are those that clients get without", async () => {
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uniqueArray(fc.nat(30), { maxLength: 30 }), { minLength: 2, maxLength: 5 }),
      fc.boolean(),
      async (versions, isAsked) => {
        const storage = memoryStorage();
        const publish = publisher(storage, signer);
        const options = { now: () => NOW };
        const servers = [true, false].map((prepares) =>
          testServer(storage, [signer.publicKey], { ...options, prepares, longer: [8] }),
        );
        const tokens = [""];
        const longerTokens = [""];
        const longerTarget = (token: string) =>
          `/v5/hashList/mw-8b?alt=json&version=${encodeURIComponent(token)}`;
        for (const numbers of versions) {
          await publish(
            "malware",
            numbers.map((number) => `${number}.example/`),
          );
          for (const server of servers) await server.refresh();
          const asked = <Token>(all: readonly Token[]) => (isAsked ? all : all.slice(-1));
          const targets = [
            ...asked(tokens).flatMap(targetsFor),
            ...asked(longerTokens).map(longerTarget),
          ];
          for (const target of targets) {
            const [prepared, plain] = await Promise.all(
              servers.map((server) => ask(server, target)),
            );
            expect(prepared).toEqual(plain);
          }
          const { answered } = servers[0]!;
          for (const { kind, from } of answered.flatMap(({ updates }) => updates)) {
            kinds.add(from?.startsWith("malware.8b.") ? `${kind} of longer prefixes` : kind);
          }
          const answer = await ask(servers[0]!, "/v5/hashList/mw-4b?alt=json");
          tokens.push(JSON.parse(answer.toString()).version);
          const longer = JSON.parse(String(await ask(servers[0]!, longerTarget(""))));
          longerTokens.push(longer.version);
        }
      },
    ),
    { seed: 29, numRuns: sampleSize(1000) / 10 },
  );
  expect([...kinds]).toEqual(
    expect.arrayContaining(["full", "partial", "partial of longer prefixes"]),
  );
});

test("nobody waits for the update from the version before, or for what others got of it", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  const { aside, jobs } = recordedAside();
  const hosts = Array.from({ length: 100 }, (_, i) => `${i}.example/`);
  await publish("malware", hosts);
  const server = testServer(storage, [signer.publicKey], { aside, prepares: true });
  await server.refresh();
  const [v5, v4, webRisk] = targetsFor("");
  const token = JSON.parse(String(await ask(server, v5))).version;
  await publish("malware", [...hosts, "new.example/"]);
  await server.refresh();
  jobs.length = 0;
  for (const target of [...targetsFor(token), v5]) await ask(server, target);
  expect(jobs).toEqual([]);
  const { updates } = server.answered.at(-2)!;
  expect(updates).toMatchObject([{ kind: "partial" }]);
  // No client had asked for the whole list in v4 or Web Risk, so it is made now.
  await ask(server, v4);
  expect(jobs).toEqual(["listUpdateOf"]);
  await ask(server, webRisk);
  expect(jobs).toHaveLength(1);
});

test("what cannot be prepared is left to the clients that ask", async () => {
  const storage = memoryStorage();
  const publish = publisher(storage, signer);
  await publish("malware", ["a.example/"]);
  const server = testServer(storage, [signer.publicKey]);
  await server.refresh();
  const before = server.lists.all()[0]!;
  await publish("malware", ["b.example/"]);
  await server.refresh();
  const [next] = server.lists.all();
  let asked = 0;
  const differenceSince = () => {
    asked++;
    return Promise.reject(new Error("The store cannot be read"));
  };
  await prepareUpdates(codedUpdates(AT_ONCE), before, {
    ...next!,
    loaded: { ...next!.loaded!, differenceSince },
  });
  expect(asked).toBe(1);
});
