import { readFileSync, statSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { decodeKeyConfigs, encapsulateRequest } from "@x/ohttp";
import { decodeResponse, encodeRequest } from "@x/ohttp/binary-http";
import { fullHash } from "@x/sha256-prefix";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { run, serve, start, waitFor } from "../support/command.ts";
import { newOperator } from "../support/operator.ts";

const operator = await newOperator();
afterAll(() => operator.remove());
const running: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});

/** Starts `urlhash-server relay`, and returns its origin. */
async function relayTo(...gateways: readonly string[]): Promise<string> {
  const options = gateways.flatMap((each) => ["--gateway", each]);
  const relay = start(operator.path, "relay", "--port", "0", "--rate", "20", ...options);
  running.push({
    async stop() {
      relay.child.kill("SIGTERM");
      await relay.ended;
    },
  });
  return waitFor(
    "the relay",
    () => /relaying (http:\/\/[\d.:]+)\//.exec(relay.stderr())?.[1] ?? "",
  );
}

function post(url: string, body: Uint8Array, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: "POST",
    body: new Uint8Array(body),
    headers: { "content-type": "message/ohttp-req", ...headers },
  });
}

/** A gateway that records its requests, and always gives the same answer. */
async function plainGateway(status: number, type: string, body: string) {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("latin1").on("data", (piece) => {
      text += piece;
    });
    request.on("end", () => {
      got.push({ headers: request.headers, body: text });
      response.writeHead(status, { "content-type": type, "set-cookie": "a=b" }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push({ stop: () => new Promise((resolve) => server.close(resolve)) });
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gateway` };
}

test("ohttp-key makes a file that only its owner can read, and adds a key", async () => {
  expect((await run(operator.path, "ohttp-key", "keys")).stdout).toBe(
    "keys: the key 0 is the newest\n",
  );
  const file = join(operator.path, "keys");
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  const { stdout } = await run(operator.path, "ohttp-key", "keys", "--overlap", "7d");
  expect(stdout).toBe("keys: the key 1 is the newest; 1 older key is still answered\n");
  expect(readFileSync(file, "utf8").match(/^\d/gm)).toEqual(["1", "0"]);
});

describe("a search through a relay", () => {
  test("gives the answer of the server, with the old key and the new one", async () => {
    await run(operator.path, "ohttp-key", "own");
    operator.write("malware.txt", "http://evil.example/");
    await operator.publish("malware=malware.txt");
    const server = await serve(
      operator.path,
      "--store",
      "lists",
      "--ohttp",
      "own",
      "--first-start",
    );
    running.push({
      async stop() {
        server.child.kill("SIGTERM");
        await server.ended;
      },
    });
    const relay = await relayTo(server.origin);
    const keys = async () => {
      const response = await fetch(`${server.origin}/.well-known/ohttp-gateway`);
      return decodeKeyConfigs(new Uint8Array(await response.arrayBuffer()))[0]!;
    };
    const hash = fullHash("evil.example/");
    const prefix = Buffer.from(hash.subarray(0, 4)).toString("base64url");
    const request = encodeRequest({
      method: "GET",
      scheme: "http",
      authority: new URL(server.origin).host,
      path: `/v5/hashes:search?hashPrefixes=${prefix}`,
    });
    const old = await keys();
    const search = async (config: typeof old) => {
      const { message, openResponse } = await encapsulateRequest(config, request);
      const response = await post(`${relay}/`, message);
      const opened = await openResponse(new Uint8Array(await response.arrayBuffer()));
      return Buffer.from(decodeResponse(opened).content).includes(Buffer.from(hash));
    };
    expect(await search(old)).toBe(true);
    await run(operator.path, "ohttp-key", "own");
    server.child.kill("SIGHUP");
    const current = await waitFor("the new key", async () => {
      const config = await keys();
      return config.keyId === old.keyId ? null : config;
    });
    expect(await search(current!)).toBe(true);
    expect(await search(old)).toBe(true);
  });
});

describe("a relay", () => {
  test("passes on nothing about the client, and nothing of the answer but the answer", async () => {
    const { got, url } = await plainGateway(200, "message/ohttp-res", "answer");
    const relay = await relayTo(`lists=${url}`);
    const secrets = {
      cookie: "me=1",
      "user-agent": "Me",
      "x-forwarded-for": "192.0.2.1",
      forwarded: "for=x",
      authorization: "Me",
      "accept-language": "tlh",
      "x-request-id": "me-1",
    };
    const response = await post(`${relay}/lists`, Buffer.from("request"), secrets);
    expect(await response.text()).toBe("answer");
    expect(response.headers.get("set-cookie")).toBe(null);
    expect(got[0]!.body).toBe("request");
    expect(got[0]!.headers["content-type"]).toBe("message/ohttp-req");
    const sent = JSON.stringify(got[0]!.headers);
    for (const value of Object.values(secrets)) expect(sent).not.toContain(value);
  });

  test("passes on that the gateway needs another key, and nothing else that is no answer", async () => {
    const problem = await plainGateway(400, "application/problem+json", "{}");
    const page = await plainGateway(200, "text/html", "<p>");
    const relay = await relayTo(`a=${problem.url}`, `b=${page.url}`, "c=http://127.0.0.1:9/");
    const bytes = Buffer.from("x");
    const [a, b, c] = [
      await post(`${relay}/a`, bytes),
      await post(`${relay}/b`, bytes),
      await post(`${relay}/c`, bytes),
    ];
    expect([a.status, await a.text()]).toEqual([400, "{}"]);
    expect([b.status, c.status]).toEqual([503, 503]);
    expect(await c.text()).not.toContain("127.0.0.1");
  });

  test("refuses other paths, methods, types and lengths, and too many requests", async () => {
    const { got, url } = await plainGateway(200, "message/ohttp-res", "answer");
    const relay = await relayTo(url);
    const bytes = Buffer.from("x");
    expect((await post(`${relay}/other`, bytes)).status).toBe(404);
    expect((await post(`${relay}/?a`, bytes)).status).toBe(404);
    expect((await fetch(`${relay}/`)).status).toBe(405);
    expect((await post(`${relay}/`, bytes, { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(`${relay}/`, Buffer.alloc(70_000))).status).toBe(413);
    expect(got).toEqual([]);
    const statuses = [];
    for (let i = 0; i < 21; i++) statuses.push((await post(`${relay}/`, bytes)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });
});
