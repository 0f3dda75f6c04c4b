import { connect } from "node:net";
import { memoryStorage } from "@x/list-store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { type LoggedServer, startLoggedServer } from "../support/logged-server.ts";

const SECRET = "very-secret-word";
let server: LoggedServer;

beforeAll(async () => {
  const signer = await newSigner();
  const storage = memoryStorage();
  await publisher(storage, signer)("malware", ["evil.example/"]);
  server = await startLoggedServer(storage, signer, { poll: 1000 });
});
afterAll(() => server.stop());

/** Sends a request line that `fetch` would change, and returns the status and the body of the answer. */
function send(line: string, ...headers: string[]): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(new URL(server.origin).port), "127.0.0.1");
    const head = [`${line} HTTP/1.1`, "Host: a", "Connection: close", ...headers, "", ""];
    socket.write(head.join("\r\n"));
    socket.on("data", (data) => {
      received += data.toString("latin1");
    });
    // A server that refuses a request may close the connection before the whole request has been sent.
    socket.on("error", () => {});
    socket.on("close", () => {
      const [, status, body] = /^HTTP\/1\.1 (\d{3})[\s\S]*?\r\n\r\n([\s\S]*)$/.exec(received) ?? [];
      resolve({ status: Number(status), body: body ?? "" });
    });
  });
}

const DIFF = "/v1/threatLists:computeDiff";
const HASHES = "/v1/hashes:search";
const URIS = "/v1/uris:search";
const TYPE = "threatTypes=MALWARE";
const LISTED = `${TYPE}&uri=evil.example`;
const PREFIX = "hashPrefix=AQIDBA%3D%3D";

test("ordinary requests are answered", async () => {
  expect((await send(`GET ${DIFF}?threatType=MALWARE`)).status).toBe(200);
  expect((await send(`GET ${HASHES}?${TYPE}&${PREFIX}`)).status).toBe(200);
  expect((await send(`GET ${URIS}?${LISTED}`)).body).toContain("MALWARE");
});

test.each([
  ["a POST", `POST ${URIS}?${LISTED}`, 405],
  ["a DELETE", `DELETE ${DIFF}?threatType=MALWARE`, 405],
  ["a GET that stands for a POST", `GET ${URIS}?${LISTED}&$httpMethod=POST`, 405],
  ["a method that is not served", `GET /v1/uris:submit?uri=${SECRET}`, 404],
  ["a path that goes on", `GET ${URIS}/${SECRET}?${LISTED}`, 404],
  ["a broken escape in the path", `GET /v1/uris%ff:search?${LISTED}`, 404],
  ["a prefix that is not base64", `GET ${HASHES}?${TYPE}&hashPrefix=${SECRET}!`, 400],
  ["a prefix of 10 kB", `GET ${HASHES}?${TYPE}&hashPrefix=${"AAAA".repeat(2500)}`, 400],
  ["a token that is not base64", `GET ${DIFF}?threatType=MALWARE&versionToken=${SECRET}!`, 400],
  ["negative constraints", `GET ${DIFF}?threatType=1&constraints.maxDiffEntries=-1`, 400],
  ["a constraint that is no number", `GET ${DIFF}?threatType=1&constraints.maxDiffEntries=x`, 400],
  ["a threat type that is too large", `GET ${DIFF}?threatType=99999999999`, 400],
  ["a message that is cut off", `GET ${URIS}?$req=Cn8B`, 400],
  ["a message that is not base64", `GET ${URIS}?$req=${SECRET}!`, 400],
  ["a message in JSON", `GET ${URIS}?$ct=application/json&$req=e30`, 400],
  ["a format that is not written", `GET ${URIS}?${LISTED}&alt=${SECRET}`, 400],
  ["a URI of 60 kB without a host", `GET ${URIS}?${TYPE}&uri=${"%2F".repeat(20_000)}`, 400],
  ["10 000 unknown parameters", `GET ${URIS}?${LISTED}&${"x&".repeat(10_000)}`, 400],
  ["nested parameters", `GET ${URIS}?${LISTED}&${"a.".repeat(10_000)}b=1&__proto__.x=1`, 400],
  ["a URI that is not escaped", `GET ${URIS}?${TYPE}&uri=http://evil.example/?a=1&b=2`, 400],
  ["a URI that is not UTF-8", `GET ${URIS}?${TYPE}&uri=http://evil.example/%E9`, 400],
  ["two URIs", `GET ${URIS}?${LISTED}&uri=http://good.example/`, 400],
  ["10 000 threat types", `GET ${URIS}?uri=evil.example&${"threatTypes=1&".repeat(10_000)}`, 431],
])("%s is refused", async (_, line, status) => {
  const answer = await send(line);
  expect(answer.status).toBe(status);
  expect(answer.body).not.toContain(SECRET);
});

test.each([
  ["4000 threat types", `GET ${URIS}?uri=evil.example&${"threatTypes=1&".repeat(4000)}`],
  ["10 000 other parameters", `GET ${URIS}?${LISTED}&${"$x&".repeat(10_000)}`],
  ["a URI of 60 kB", `GET ${URIS}?${TYPE}&uri=evil.example/${"a/".repeat(30_000)}`],
])("%s do not hide a listed URL", async (_, line) => {
  const { status, body } = await send(line);
  expect(status).toBe(200);
  expect(JSON.parse(body).threat.threatTypes).toEqual(["MALWARE"]);
});

test("nothing of what was sent is in the log, but every request is", () => {
  for (const secret of [SECRET, "example", "AQID", "127.0.0.1"])
    expect(server.log()).not.toContain(secret);
  const routes = server
    .log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).route);
  for (const route of [
    "webRisk.threatLists.computeDiff",
    "webRisk.hashes.search",
    "webRisk.uris.search",
  ]) {
    expect(routes).toContain(route);
  }
});
