import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Feed, newFeed } from "../support/feed.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
let feed: Feed;
beforeEach(async () => {
  operator = await newOperator();
  feed = await newFeed();
  feed.send("http://feed.example/\n");
  operator.write("urls.txt", ...hosts(0, 2));
});
afterEach(async () => {
  await feed.close();
  operator.remove();
});

const publish = (...args: string[]) =>
  operator.publish("malware=urls.txt", `malware=${feed.url}`, ...args);
const die = () => feed.answer((_, response) => response.writeHead(503).end());
/** A lifetime of which a version that is valid for a day has less than a third left. */
const LONG = ["--set", "lifetime=365d"];
const SHORT = ["--set", "lifetime=1d"];

describe("a publish from a timer, with a source that is dead", () => {
  test("publishes what the other sources have now, and the status says so", async () => {
    await publish();
    die();
    operator.write("urls.txt", ...hosts(0, 5));
    const { status, stdout, stderr } = await publish();
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: "malware: version 2, 6 entries: 3 added, 0 removed\n",
    });
    expect(stderr).toMatch(/answered 503 Service Unavailable; the last good copy, of \S+, stays/);
    feed.send("http://feed.example/\nhttp://new.example/\n");
    expect(await publish()).toMatchObject({
      status: 0,
      stdout: "malware: version 3, 7 entries: 1 added, 0 removed\n",
      stderr: "",
    });
  });

  test("signs the list again before it expires", async () => {
    await publish(...SHORT);
    die();
    expect(await publish(...LONG)).toMatchObject({
      status: 1,
      stdout: "malware: signed again as version 2, 3 entries\n",
    });
  });

  test("says so while the newest version is young, too", async () => {
    await publish();
    die();
    const { status, stdout, stderr } = await publish("--set", "min-interval=1h");
    expect({ status, stdout }).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/is younger than 1 hour/),
    });
    expect(stderr).toMatch(/answered 503 Service Unavailable; the last good copy/);
  });

  test("changes nothing in a dry run", async () => {
    await publish();
    die();
    operator.write("urls.txt", ...hosts(0, 5));
    expect(await publish("--dry-run")).toMatchObject({
      status: 1,
      stdout: "malware: would be version 2, 6 entries: 3 added, 0 removed\n",
    });
    expect(await operator.log("malware")).toHaveLength(1);
  });
});

describe("a source that never answered", () => {
  const left =
    /answered 503 Service Unavailable; there is no good copy of it yet, so it is left out\n/;
  const kept = /there is no good copy of it yet\nurlhash-server: Nothing was published\.\n$/;

  test("is left out of the first version, and of the next ones until it answers", async () => {
    die();
    const first = await publish();
    expect(first).toMatchObject({ status: 1, stderr: expect.stringMatching(left) });
    expect(first.stdout).toMatch(/version 1, 2 entries/);
    expect(await publish()).toMatchObject({
      status: 1,
      stdout: "malware: unchanged at version 1, 2 entries\n",
      stderr: expect.stringMatching(left),
    });
    operator.write("urls.txt", ...hosts(0, 3));
    expect((await publish()).stdout).toMatch(/version 2, 3 entries: 1 added, 0 removed/);
    feed.send("http://feed.example/\n");
    expect(await publish()).toMatchObject({
      status: 0,
      stdout: "malware: version 3, 4 entries: 1 added, 0 removed\n",
      stderr: "",
    });
  });

  test("does not hold up a list to which it is added", async () => {
    await operator.publish("malware=urls.txt");
    operator.write("urls.txt", ...hosts(0, 3));
    die();
    const { status, stdout, stderr } = await publish();
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(left) });
    expect(stdout).toBe("malware: version 2, 3 entries: 1 added, 0 removed\n");
  });

  test("does not change how the next sources are read", async () => {
    die();
    operator.write("urls.txt", "url,verdict", "http://a.example/,bad", "http://b.example/,good");
    operator.write(
      "urlhash-server.yaml",
      `lists: { malware: { sources: [{ source: "${feed.url}", format: hosts }, { source: urls.txt, column: url, where: verdict=bad }] } }`,
    );
    const { stdout, stderr } = await operator.publish();
    expect(stderr).toMatch(left);
    expect(stdout).toMatch(/^malware: version 1, 1 entry/m);
    // The same holds for a URL after another one.
    feed.answer((request, response) =>
      request.url === "/dead" ? response.writeHead(503).end() : response.end("0.0.0.0 c.example\n"),
    );
    const dead = `${new URL("/dead", feed.url)}`;
    operator.write(
      "urlhash-server.yaml",
      `lists: { intranet: { sources: [{ source: "${dead}", format: urls }, { source: "${feed.url}", format: hosts }] } }`,
    );
    expect((await operator.publish()).stdout).toMatch(/^intranet: version 1, 1 entry/m);
  });

  test("is not left out if it is the only one", async () => {
    die();
    const { status, stdout, stderr } = await operator.publish(`malware=${feed.url}`);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(kept);
    expect((await operator.run("log")).stderr).toMatch(/has no lists yet/);
  });

  test("is not left out if it replaces a source that the list was made from", async () => {
    await publish();
    die();
    const moved = await operator.publish("malware=urls.txt", `malware=${feed.url}?new`);
    expect(moved).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(kept) });
  });

  test.each([
    ["the record of what the list was made from is lost", "lists.sightings"],
    ["the list was made from it, and its copy is lost", "lists.fetched"],
  ])("is not left out when %s", async (_, lost) => {
    await publish();
    die();
    for (const name of new Set([lost, "lists.fetched"])) {
      rmSync(join(operator.path, name), { recursive: true });
    }
    operator.write("urls.txt", ...hosts(0, 9));
    expect(await publish("--set", "max-removed=100%")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(kept),
    });
  });
});

describe("a publish from a timer signs the list again before it expires, although", () => {
  const refused = ["malware: signed again as version 2, 3 entries\n", 1] as const;
  const failed = [refused[0], 2] as const;
  const remove = (name: string) => rmSync(join(operator.path, name), { recursive: true });
  test.each([
    ["a source is refused", () => operator.write("urls.txt", "not a URL at all"), refused],
    ["a source shrinks", () => operator.write("urls.txt", "http://h0.example/"), refused],
    ["a source is missing", () => remove("urls.txt"), failed],
    ["the exceptions are missing", () => remove("lists.except"), failed],
    [
      "a source is dead, and its copy is lost",
      () => {
        die();
        remove("lists.fetched");
      },
      refused,
    ],
  ])("%s", async (_, harm, [stdout, status]) => {
    await publish(...SHORT);
    harm();
    const early = await publish(...SHORT, "--set", "max-removed=0");
    expect(early).toMatchObject({ status, stdout: "" });
    expect(await publish(...LONG, "--set", "max-removed=0", "--dry-run")).toEqual(early);
    expect(await publish(...LONG, "--set", "max-removed=0")).toEqual({ ...early, stdout });
  });
});

describe("a publish from a timer is silent", () => {
  test.each(["--log-level=warn", "--log-level=silent"])(
    "when nothing is wrong, with %s",
    async (option) => {
      operator.write("lists.except", "http://h0.example/");
      operator.write("urls.txt", "http://h0.example/", "http://h0.example/x");
      // The first run warns of the entry that the exception covers; the next one has nothing new to say.
      await publish(option);
      expect(await publish(option)).toEqual({ status: 0, stdout: "", stderr: "" });
      operator.write("lists.except");
      operator.write("urls.txt", ...hosts(0, 9));
      expect(await publish(option)).toEqual({ status: 0, stdout: "", stderr: "" });
      expect(await operator.log("malware")).toHaveLength(2);
    },
  );

  test("with --log-level warn, unless something is wrong", async () => {
    operator.write("urls.txt", "not a URL at all");
    const { status, stdout, stderr } = await publish("--log-level", "warn");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/urls\.txt: This looks like text in no known format/);
    expect(stderr).toMatch(/Nothing was published/);
  });

  test("with --log-level error, unless something has failed", async () => {
    operator.write("urls.txt", "not a URL at all");
    expect(await publish("--log-level=error")).toEqual({ status: 1, stdout: "", stderr: "" });
    rmSync(join(operator.path, "urls.txt"));
    expect((await publish("--log-level=error")).stderr).toMatch(/urls\.txt does not exist/);
  });
});
