import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { decodeKeyConfigs, encapsulateRequest } from "@x/ohttp";
import { decodeResponse, encodeRequest } from "@x/ohttp/binary-http";
import { fullHash } from "@x/sha256-prefix";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { run, serve, waitFor } from "../support/command.ts";
import { newOperator } from "../support/operator.ts";

const operator = await newOperator();
afterAll(() => operator.remove());

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

test("a search gives the answer of the server, with the old key and the new one", async () => {
  await run(operator.path, "ohttp-key", "own");
  operator.write("malware.txt", "http://evil.example/");
  await operator.publish("malware=malware.txt");
  const server = await serve(
    operator.path,
    "--store",
    "lists",
    "--set",
    "ohttp-keys=own",
    "--first-start",
  );
  onTestFinished(async () => {
    server.child.kill("SIGTERM");
    await server.ended;
  });
  const gateway = `${server.origin}/.well-known/ohttp-gateway`;
  const keys = async () => {
    const response = await fetch(gateway);
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
    const response = await fetch(gateway, {
      method: "POST",
      body: new Uint8Array(message),
      headers: { "content-type": "message/ohttp-req" },
    });
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
