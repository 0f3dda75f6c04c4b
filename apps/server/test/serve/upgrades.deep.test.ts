import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient } from "@x/client";
import { type Signer, type Storage, signerOf } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { afterEach, beforeEach, expect, test } from "vitest";
import { signNote } from "../../../../packages/list-store/src/signed-note.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

/*
 * How programs of this version react to a store to which a newer publisher has written in another format
 * (docs/operations.md).
 */

const WORDS = /in the newer format urlhash-manifest\/4: update this program to read it/;
const VERSION_2 = "lists/malware/v/000000000002";

let operator: Operator;
let storage: Storage;
let signer: Signer;
let server: LoggedServer;

/** Publishes version 2 in the format of a newer publisher with the same key. */
async function publishNewer(): Promise<void> {
  operator.write("urls.txt", ...hosts(0, 3));
  await operator.publish("malware=urls.txt");
  const note = Buffer.from((await storage.get(VERSION_2))!).toString();
  const text = note.slice(0, note.indexOf("\n\n") + 1);
  const newer = text.replace("urlhash-manifest/3\n", "urlhash-manifest/4\n");
  expect(newer).not.toBe(text);
  await storage.put(VERSION_2, await signNote(newer, signer));
}

beforeEach(async () => {
  operator = await newOperator();
  operator.write("urls.txt", ...hosts(0, 2));
  await operator.publish("malware=urls.txt");
  storage = directoryStorage(join(operator.path, "lists"));
  signer = await signerOf(operator.read("lists.key"));
  server = await startLoggedServer(storage, signer, { poll: 10 });
});
afterEach(async () => {
  await server.stop();
  operator.remove();
});

const get = async (at: LoggedServer, path: string) => {
  const response = await fetch(at.origin + path);
  return { status: response.status, text: await response.text() };
};

test("a running server goes on with the version that it has, and says why", async () => {
  await publishNewer();
  await expect.poll(async () => (await get(server, "/readyz")).status).toBe(503);
  expect((await get(server, "/readyz")).text).toMatch(WORDS);
  await expect.poll(() => server.log()).toMatch(WORDS);
  const line = server
    .log()
    .split("\n")
    .find((each) => WORDS.test(each))!;
  expect(JSON.parse(line)).toMatchObject({ list: "malware", version: expect.any(Number) });
  expect((await get(server, "/v5/hashList/mw-4b")).status).toBe(200);
});

test("a server that starts serves nothing of the list, and says why", async () => {
  await publishNewer();
  const later = await startLoggedServer(storage, signer);
  expect(await get(later, "/readyz")).toMatchObject({
    status: 503,
    text: expect.stringMatching(WORDS),
  });
  expect((await get(later, "/v5/hashList/mw-4b")).status).toBe(503);
  await later.stop();
});

test("a publisher writes nothing, and neither does any other command", async () => {
  await publishNewer();
  operator.write("urls.txt", ...hosts(0, 4));
  for (const command of [
    "publish malware=urls.txt",
    "rollback malware 1",
    "withdraw malware",
    "gc",
  ]) {
    const { status, stderr } = await operator.run(command);
    expect(status, command).toBe(2);
    expect(stderr, command).toMatch(WORDS);
  }
  expect((await storage.list("lists/malware/v/")).length).toBe(2);
});

test("a reader keeps its version, and says why", async () => {
  const host = createServer((request, response) => {
    void storage.get(request.url!.slice(1)).then((bytes) => {
      response.writeHead(bytes === null ? 404 : 200, {
        "Content-Type": "application/octet-stream",
      });
      response.end(bytes ?? undefined);
    });
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const { port } = host.address() as AddressInfo;
  const client = createClient({
    ...{ protocol: "store", server: `http://127.0.0.1:${port}/`, lists: ["malware"] },
    publicKeys: [signer.publicKey],
  });
  await client.update();
  await publishNewer();
  const problem = await client.update().then(
    () => client.status().lists[0]!.error,
    (error: unknown) => error,
  );
  expect(String((problem as Error).message)).toMatch(WORDS);
  expect((await client.check("http://h0.example/")).verdict).toBe("unsafe");
  await client.stop();
  host.closeAllConnections();
  host.close();
});
