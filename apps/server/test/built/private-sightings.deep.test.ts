import { readdirSync, readFileSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { fullHash } from "@x/sha256-prefix";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RECORD_BYTES } from "../../src/publish/sightings-file.ts";
import { run, serve, temporaryFolder } from "../support/command.ts";
import { hosts } from "../support/operator.ts";
import { writeAtOnce } from "../support/write-at-once.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const inFolder = (...names: string[]) => join(folder.path, ...names);
const SOURCE = "quagga-source.txt";

/** The answer to a request whose path is sent as it is: status, headers and body. */
function answerTo(origin: string, path: string, body: string | null = null): Promise<Buffer> {
  const { hostname, port } = new URL(origin);
  const method = body === null ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method }, (response) => {
      const pieces = [Buffer.from(`${response.statusCode} ${response.rawHeaders.join("\n")}\n`)];
      response.on("data", (piece) => pieces.push(piece));
      response.on("end", () => resolve(Buffer.concat(pieces)));
    });
    sent.on("error", reject);
    sent.end(body ?? undefined);
  });
}

/** All files below a folder. */
function filesBelow(path: string): Buffer[] {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  return names
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file));
}

test("the record of sightings is in no answer, in no file of the store, and in no copy", async () => {
  writeAtOnce(inFolder(SOURCE), `${hosts(0, 300).join("\n")}\nhttp://evil.example/\n`);
  await run(folder.path, "init", "--store", "lists");
  const published = await run(folder.path, "publish", "--store", "lists", `malware=${SOURCE}`);
  expect(published).toMatchObject({ status: 0 });
  const copied = await run(folder.path, "copy", "--from", "lists", "--to", "copy");
  expect(copied).toMatchObject({ status: 0 });
  const sightings = readFileSync(inFolder("lists.sightings/malware.bin"));
  const isPrivate = (bytes: Buffer) =>
    ["quagga", "sightings", sightings.subarray(0, RECORD_BYTES - 8)].some((words) =>
      bytes.includes(words),
    );
  expect(isPrivate(sightings)).toBe(true);

  const server = await serve(folder.path, "--store", "lists");
  const answers = new Map<string, Buffer>();
  const ask = async (path: string, body: string | null = null) =>
    answers.set(path, await answerTo(server.origin, path, body));
  const { paths } = JSON.parse(
    readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"),
  ) as { paths: Record<string, Record<string, unknown>> };
  const hash = Buffer.from(fullHash("evil.example/")).subarray(0, 4).toString("base64url");
  const query = `names=mw-4b&hashPrefixes=${hash}&urls=evil.example&uri=http://evil.example/&threatTypes=MALWARE&threatType=MALWARE&hashPrefix=${hash}&constraints.supportedCompressions=RAW`;
  for (const [path, methods] of Object.entries(paths)) {
    const named = path.replace("{name}", "mw-4b");
    if ("get" in methods) {
      await ask(named);
      await ask(`${named}?${query}`);
    }
    if ("post" in methods) await ask(`${named}?x`, "http://evil.example/\n");
  }
  for (const above of ["", "/..", "/../..", "/%2e%2e", "/..%2f..", "/lookup/..", "/v5/hashList/.."])
    for (const name of ["lists.sightings/malware.bin", "lists.sightings"])
      await ask(`${above}/${name}`);
  const listed = [...answers.values()].filter((answer) => answer.includes("MALWARE"));
  expect(answers.size).toBeGreaterThan(50);
  expect(listed.length).toBeGreaterThan(2);
  expect([...answers].filter(([, bytes]) => isPrivate(bytes)).map(([path]) => path)).toEqual([]);
  server.child.kill("SIGTERM");
  const { stdout, stderr } = await server.ended;
  // The log names the paths that were asked for, but nothing in the file.
  expect(`${stdout}${stderr}`).not.toContain("quagga");
  expect([...filesBelow(inFolder("lists")), ...filesBelow(inFolder("copy"))].some(isPrivate)).toBe(
    false,
  );
});
