import { readdirSync, writeFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { giveBackgroundTimersBack, takeBackgroundTimers } from "@x/test-support/background-timers";
import { record } from "@x/test-support/process-streams";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { updateUntil } from "../../src/client/update-lists.ts";
import { createContext } from "../../src/context.ts";
import { run } from "../run.ts";
import { type ListServer, startListServer } from "./list-server.ts";

const folder = temporaryFolder();
let server: ListServer;
let count = 0;
/** Each test has its own database. */
let database: string;
beforeEach(async () => {
  server = await startListServer();
  database = folder.path(`database-${count++}`);
});
afterEach(() => {
  server.close();
  vi.restoreAllMocks();
  giveBackgroundTimersBack();
});

const update = (...argv: string[]) =>
  run(["update", "--server", server.url, "--database", database, ...argv]);
const LISTS = ["--lists", "mw-4b,se-4b"];
const MINUTE = 60_000;

function later(minutes: number): void {
  const time = Date.now() + minutes * MINUTE;
  vi.spyOn(Date, "now").mockImplementation(() => time);
}

test.each([
  ["v5", "mw-4b", "se-4b"],
  ["v4", "MALWARE", "SOCIAL_ENGINEERING"],
  ["web-risk", "MALWARE", "SOCIAL_ENGINEERING"],
])(
  "%s: says what changed, and when the next update is due",
  async (protocol, malware, phishing) => {
    const argv = ["--protocol", protocol, "--lists", `${malware},${phishing}`];
    const first = await update(...argv);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toMatch(
      new RegExp(`^${malware}: 1 added, 0 removed, \\d+ bytes; 1 entry, checked just now
${phishing}: 1 added, 0 removed, \\d+ bytes; 1 entry, checked just now
\\d+ bytes downloaded; next update in 30 minutes
$`),
    );
    server.setMalware(["bad.example/", "evil.example/", "worse.example/"]);
    expect(await update(...argv, "--now")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        new RegExp(`^${malware}: 2 added, 0 removed, \\d+ bytes; 3 entries, checked just now
${phishing}: unchanged; 1 entry, checked just now\n`),
      ),
    });
  },
);

test("asks nothing before the next update is due, unless told to", async () => {
  await update(...LISTS);
  const asked = server.updates();
  expect(await update(...LISTS)).toEqual({
    status: 0,
    stdout: `mw-4b: 1 entry, checked just now
se-4b: 1 entry, checked just now
no update was due; next update in 30 minutes
`,
    stderr: "",
  });
  expect(server.updates()).toBe(asked);
  await update(...LISTS, "--now");
  expect(server.updates()).toBe(asked + 1);
  later(31);
  await update(...LISTS);
  expect(server.updates()).toBe(asked + 2);
});

test("lists that the database does not have make an update due", async () => {
  await update("--lists", "mw-4b");
  const { stdout } = await update(...LISTS);
  expect(stdout).toMatch(/^mw-4b: unchanged; .*\nse-4b: 1 added/);
});

test("--json: one object", async () => {
  // The clock is stopped, so the age of the lists is 0 even if it takes long to store them.
  later(0);
  const { status, stdout } = await update(...LISTS, "--json");
  expect([status, stdout.split("\n").length]).toEqual([0, 2]);
  const list = { changed: true, added: 1, removed: 0, entries: 1, ageSeconds: 0, error: null };
  expect(JSON.parse(stdout)).toEqual({
    server: `${server.url}/`,
    protocol: "v5",
    database,
    updated: true,
    lists: ["mw-4b", "se-4b"].map((name) => ({
      name,
      ...list,
      bytes: expect.any(Number),
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
    })),
    bytes: expect.any(Number),
    nextUpdate: expect.stringMatching(/^20\d\d-.*Z$/),
    error: null,
  });
});

test("a server that fails: status 2, and it is left alone until the next update is due", async () => {
  server.status.update = 503;
  const failed = await update(...LISTS);
  expect(failed).toMatchObject({ status: 2, stdout: "" });
  expect(failed.stderr).toMatch(/^urlhash: .*503.*; next update in \d+ minutes\n$/);
  const json = await update(...LISTS, "--json");
  expect(json.status).toBe(2);
  expect(JSON.parse(json.stdout)).toMatchObject({ updated: false, lists: [{ version: null }, {}] });
  expect(json.stderr).toMatch(/^urlhash: the last update failed.* --now" asks it anyway\n$/);
  // One request is the update, and the other asks for the names of the server's lists.
  expect(server.updates()).toBe(2);
  server.status.update = 200;
  expect(await update(...LISTS, "--now")).toMatchObject({ status: 0, stderr: "" });
});

test("the default lists are those of Google, and an error of a server without them says so", async () => {
  const { stdout } = await update("--json");
  expect(JSON.parse(stdout)).toMatchObject({
    lists: [{ name: "mw-4b" }, { name: "se-4b" }, { name: "uws-4b", entries: 0 }],
  });
  server.status.update = 404;
  const { status, stderr } = await update("--now");
  expect(status).toBe(2);
  expect(stderr).toContain("use --lists to name lists other than Google's");
});

test("a stored list that is damaged is reported, and fetched again", async () => {
  await update(...LISTS);
  const file = readdirSync(database).find((name) => name.includes("mw-4b"))!;
  writeFileSync(`${database}/${file}`, "not a list");
  const { status, stdout, stderr } = await update(...LISTS);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^mw-4b: 1 added/)]);
  expect(stderr).toMatch(
    /^urlhash: warning: The stored list mw-4b is damaged: .*the next update fetches it again\n$/,
  );
});

test("a database that cannot be read or written is a failure", async () => {
  const file = folder.write("a-file", "");
  const ran = await run(["update", "--server", server.url, "--database", file, ...LISTS]);
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toMatch(
    /^urlhash: The storage failed to read .*: \S*a-file\S*: not a directory\n$/,
  );
  expect(server.updates()).toBe(0);
});

test("by default, the database is in the user's cache, one for each set of lists", async () => {
  const cache = folder.path(`cache-${count}`);
  const env = { XDG_CACHE_HOME: cache };
  for (const lists of ["mw-4b,se-4b", "se-4b,mw-4b", "mw-4b"]) {
    await run(["update", "--server", server.url, "--lists", lists], { env });
  }
  const found = readdirSync(`${cache}/urlhash`);
  expect(found).toHaveLength(2);
  for (const name of found) expect(name).toMatch(/^v5-127\.0\.0\.1-[0-9a-f]{16}$/);
});

test("keys come from a file or the environment, and are in no error", async () => {
  const file = folder.write("key", "fr0m-file\n");
  await update(...LISTS, "--key-file", file);
  expect(server.asked.at(-1)).toContain("key=fr0m-file");
  const argv = ["update", "--server", server.url, "--database", database, ...LISTS, "--now"];
  await run(argv, { env: { URLHASH_SERVER_KEY: "fr0m-env" } });
  expect(server.asked.at(-1)).toContain("key=fr0m-env");

  server.status.update = 403;
  for (const format of [[], ["--json"]]) {
    const refused = await update(...LISTS, "--key-file", file, "--now", ...format);
    expect(refused.status).toBe(2);
    expect(refused.stdout + refused.stderr).not.toContain("fr0m-file");
  }
});

test.each([
  ["update", "--key", "s3cret"],
  ["update", "--key=s3cret"],
  ["update", "--api-key=s3cret"],
  ["check", "--key", "s3cret", "a.b"],
  ["update", "--server", "https://lists.example/?key=s3cret"],
  ["update", "--server", "https://s3cret@lists.example/"],
])("a key among the arguments is refused and not repeated: %j", async (...argv) => {
  const { status, stderr } = await run(argv);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^urlhash: .*--key-file.*URLHASH_SERVER_KEY\n$/);
  expect(stderr).not.toContain("s3cret");
});

test.each([
  [[], "missing option '--server <url>' .*"],
  [["--server", "lists.example"], "--server takes a URL, .*"],
  [
    ["--server", "https://a.b", "--protocol", "store"],
    "--protocol store needs the publisher's public key, .*",
  ],
  [
    ["--server", "https://a.b", "--protocol", "store", "--public-key", "a+00000000+x"],
    "name the lists of the store, .*",
  ],
  [
    [
      "--server",
      "https://a.b",
      "--protocol",
      "store",
      "--public-key",
      "a+00000000+x",
      "--lists",
      "l",
    ],
    ".* is not a public key",
  ],
  [["--server", "https://a.b", "--public-key", "x"], "--public-key needs --protocol store"],
  [["--server", "https://a.b", "--bytes", "8"], "--bytes needs --protocol store"],
  [
    ["--server", "https://a.b", "--protocol", "store", "--key-file", "key"],
    "--key-file is not for stores: they have no API keys",
  ],
  [["--server", "https://a.b", "--protocol", "v4", "--lists", "NONE"], ".*NONE.*"],
  [["--server", "https://a.b", "--lists", "gc-32b"], "lists must name a list of threats"],
  [
    ["--server", "https://a.b", "--key-file", "/none"],
    "cannot read /none: no such file or directory",
  ],
])("options that cannot be used: %j", async (argv, message) => {
  const ran = await run(["update", ...argv], { env: { XDG_CACHE_HOME: folder.path("unused") } });
  expect(ran).toMatchObject({ status: 2, stdout: "" });
  expect(ran.stderr).toMatch(new RegExp(`^urlhash: ${message}\n$`));
});

test("lists that are empty, and those that the server does not have, are named each time", async () => {
  server.setMalware([]);
  const argv = ["--lists", "mw-4b,phishing"];
  const unknown = `urlhash: The server ${new URL(server.url).host} has no list "phishing"`;
  const empty = "urlhash: warning: the list mw-4b is empty: no URL can be on it\n";
  const first = await update(...argv);
  expect(first.status).toBe(2);
  expect(first.stderr).toBe(`${unknown} (it has mw-4b, se-4b)\n${empty}`);
  expect(first.stdout).toMatch(/^mw-4b: .*; 0 entries, .*\nphishing: not downloaded yet\n/);
  const asked = server.updates();
  const second = await update(...argv);
  expect(second.status).toBe(2);
  expect(second.stderr).toContain(empty);
  expect(second.stderr).toContain('has no list "phishing"\n');
  expect(server.updates()).toBe(asked);
});

test("names of Google's lists that another server does not have come with advice", async () => {
  const { status, stderr } = await update();
  expect(status).toBe(2);
  expect(stderr).toMatch(
    / has no list "uws-4b" \(.*\); use --lists to name lists other than Google's\n$/,
  );
});

test("--watch goes on after a failure, and reports each update once", async () => {
  let run: (() => void) | null = null;
  const clock = { time: Date.now() };
  const lines: string[] = [];
  let onWait = (): void => {};
  /** Resolves when the schedule waits for the next update. */
  const waits = () =>
    new Promise<void>((resolve) => {
      onWait = resolve;
      if (run !== null) resolve();
    });
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const ran = record(async (io) => {
    const say = (text: string): void => void lines.push(text);
    const context = {
      ...createContext([], io, {}, () => {}),
      stdout: { write: async (text: string | Uint8Array) => say(`out: ${text}`) },
      stderr: { write: async (text: string | Uint8Array) => say(`err: ${text}`) },
    };
    takeBackgroundTimers((milliseconds, callback) => {
      run = () => {
        clock.time += milliseconds;
        callback();
      };
      onWait();
      return () => {};
    });
    const options = { server: server.url, database, lists: ["mw-4b,se-4b"], json: true };
    const more = { now: () => clock.time, random: () => 0 };
    await updateUntil(stopped, options, context, more);
    return 0;
  });
  const step = async (lineCount: number): Promise<void> => {
    for (;;) {
      await waits();
      // An update is reported in the turn in which the schedule begins to wait again.
      await nextTurn();
      if (lines.length >= lineCount) return;
      const due = run!;
      run = null;
      due();
    }
  };
  await step(1);
  expect(JSON.parse(lines[0]!.slice(5))).toMatchObject({
    updated: true,
    lists: [{ added: 1 }, {}],
  });
  server.setMalware(["bad.example/"]);
  server.status.update = 500;
  await step(3);
  expect(JSON.parse(lines[1]!.slice(5))).toMatchObject({
    updated: false,
    error: { code: "server-unreachable" },
  });
  expect(lines[2]).toMatch(/^err: urlhash: .*500/);
  server.status.update = 200;
  await step(4);
  expect(JSON.parse(lines[3]!.slice(5))).toMatchObject({ lists: [{ removed: 1 }, {}] });
  expect(server.updates()).toBe(3);
  stop();
  expect((await ran).status).toBe(0);
});
