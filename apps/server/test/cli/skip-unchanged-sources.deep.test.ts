import { cpSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "@x/test-support/process-streams";
import { sampleSize } from "@x/test-support/sample-size";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSightings, writeSightings } from "../../src/publish/sightings-file.ts";
import { pass, startAt } from "../support/another-time.ts";
import { waitFor } from "../support/command.ts";
import { runHereIn } from "../support/command-in-process.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

/** Publishes in a terminal, and returns whether the progress line showed that the source was read. */
async function reads(...args: string[]): Promise<boolean> {
  const all = ["publish", "--store", "lists", ...args];
  const { status, stderr } = await runHereIn({ terminal: 80 }, operator.path, ...all);
  expect(status).toBe(0);
  return stderr.includes(": reading ");
}

describe("a source with the same bytes", () => {
  beforeEach(async () => {
    operator.write("urls.txt", ...hosts(0, 20), "http://user@warned.example/");
    expect(await reads("malware=urls.txt")).toBe(true);
  });

  test("is not read again, whatever its time is", async () => {
    expect(await reads("malware=urls.txt")).toBe(false);
    utimesSync(join(operator.path, "urls.txt"), 1, 1);
    expect(await reads("malware=urls.txt")).toBe(false);
  });

  test("still has what was said about it", async () => {
    const { stdout, stderr } = await operator.publish("malware=urls.txt");
    expect(stdout).toBe("malware: unchanged at version 1, 21 entries\n");
    expect(stderr).toMatch(
      /urls\.txt:21: warning: warned\.example\/ covers the site for every user/,
    );
  });

  test("is read again when one byte changes, although its length and time do not", async () => {
    const file = join(operator.path, "urls.txt");
    writeFileSync(file, readFileSync(file, "utf8").replace("h7", "h8"));
    utimesSync(file, 1, 1);
    expect(await reads("malware=urls.txt")).toBe(true);
  });

  test("is read again with other settings", async () => {
    expect(await reads("malware=urls.txt", "--set", "allow-broad=true")).toBe(true);
    expect(await reads("malware=urls.txt", "--set", "allow-broad=true")).toBe(false);
    expect(await reads("malware=urls.txt", "--set", "allow-broad=true", "--input", "urls")).toBe(
      true,
    );
  });

  test("is read again when exceptions have changed", async () => {
    await operator.run("except add", "http://h7.example/");
    expect(await reads("malware=urls.txt")).toBe(true);
    expect(await reads("malware=urls.txt")).toBe(false);
    operator.write("lists.except");
    expect(await reads("malware=urls.txt")).toBe(true);
    expect((await operator.log("malware")).map((row) => row.split(" ")[0])).toEqual([
      "21",
      "20",
      "21",
    ]);
  });

  test("is read again when the store has something else", async () => {
    cpSync(join(operator.path, "lists.sightings"), join(operator.path, "copy"), {
      recursive: true,
    });
    operator.write("other.txt", "http://other.example/");
    await operator.publish("malware=other.txt");
    rmSync(join(operator.path, "lists.sightings"), { recursive: true });
    cpSync(join(operator.path, "copy"), join(operator.path, "lists.sightings"), {
      recursive: true,
    });
    expect(await reads("malware=urls.txt")).toBe(true);
    await operator.run("withdraw", "malware");
    expect(await reads("malware=urls.txt")).toBe(true);
  });

  test.each([
    ["cut", (text: string) => text.slice(0, 100)],
    ["of another format", (text: string) => text.replace("sightings/1", "sightings/0")],
    ["changed", (text: string) => text.replace('"said":["', '"said":["x')],
    ["a web page", () => "<html>"],
  ])("is read again when its record is %s", async (_, change) => {
    const file = join(operator.path, "lists.sightings", "malware.bin");
    const text = readFileSync(file, "latin1");
    expect(change(text)).not.toBe(text);
    writeFileSync(file, change(text), "latin1");
    expect(await reads("malware=urls.txt")).toBe(true);
  });

  test("is read again when its record is of an older program", async () => {
    const file = join(operator.path, "lists.sightings", "malware.bin");
    const { facts, recordsOf, close } = (await openSightings(file))!;
    const records = await Promise.all(facts.counts.map((_, byte) => recordsOf(byte)));
    await close();
    await writeSightings(file, { ...facts, identity: undefined, said: undefined }, records);
    expect(await reads("malware=urls.txt")).toBe(true);
    expect(await reads("malware=urls.txt")).toBe(false);
  });

  test("is read again when the list was rolled back to the same entries", async () => {
    await operator.run("rollback", "malware", "1");
    expect(await reads("malware=urls.txt")).toBe(true);
  });

  test("is read again after a day", async () => {
    const end = startAt(Date.now());
    try {
      pass(DAY - 2 * MINUTE);
      expect(await reads("malware=urls.txt")).toBe(false);
      pass(2 * MINUTE);
      expect(await reads("malware=urls.txt")).toBe(true);
      expect(await reads("malware=urls.txt")).toBe(false);
    } finally {
      end();
    }
  });

  test("is signed again in time", async () => {
    const { status, stdout } = await operator.publish("malware=urls.txt", "--set", "lifetime=365d");
    expect({ status, stdout }).toMatchObject({
      status: 0,
      stdout: "malware: signed again as version 2, 21 entries\n",
    });
  });
});

test("a list waits for --min-interval, and is then published", async () => {
  operator.write("urls.txt", "http://a.example/");
  await operator.publish("malware=urls.txt");
  operator.write("urls.txt", "http://b.example/");
  const { status, stdout } = await operator.publish("malware=urls.txt", "--set", "min-interval=1h");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^malware: version 1 is younger than 1 hour \(min-interval\)/);
  expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/^malware: version 2/);
});

test("a young list is signed again before it expires", async () => {
  operator.write("urls.txt", "http://a.example/");
  await operator.publish("malware=urls.txt", "--set", "lifetime=1d");
  const { stdout } = await operator.publish(
    "malware=urls.txt",
    ...["--set", "min-interval=1h", "--set", "lifetime=365d"],
  );
  expect(stdout).toBe("malware: signed again as version 2, 1 entry\n");
});

test("--watch publishes what changed while the list was young", async () => {
  operator.write("urls.txt", "http://a.example/");
  await operator.publish("malware=urls.txt");
  operator.write("urls.txt", "http://b.example/");
  const watched = operator.publish("malware=urls.txt", "--watch", "--set", "min-interval=10s");
  await waitFor("version 2", async () => (await operator.log("malware")).length === 2);
  process.emit("SIGTERM");
  expect((await watched).stdout).toMatch(/is younger than 10 seconds/);
});

test("--watch does not wait until a clock that was set back has caught up", async () => {
  const end = startAt(Date.now());
  try {
    operator.write("urls.txt", "http://a.example/");
    const watched = operator.publish("malware=urls.txt", "--watch", "--trust-clock");
    await waitFor("version 1", async () => (await operator.log("malware"))[0] !== "");
    pass(-2 * DAY);
    operator.write("urls.txt", "http://b.example/");
    await waitFor("version 2", async () => (await operator.log("malware")).length === 2);
    process.emit("SIGTERM");
    expect((await watched).stdout).toContain("malware: version 2, 1 entry: 1 added, 1 removed");
  } finally {
    end();
  }
});

test("publishing with records makes the same versions as without", async () => {
  const lines = [
    "http://a.example/",
    "http://b.example/x",
    "c.example",
    "http://[::1]/",
    "@@x",
    "",
  ];
  const text = fc.array(fc.constantFrom(...lines), { maxLength: 6 });
  const exception = fc.constantFrom("a.example", "b.example", "b.example/x", "z.example");
  const action = fc.oneof(
    fc.record({ file: fc.constantFrom("1.txt", "2.txt"), text }),
    fc.record({ except: fc.array(exception, { maxLength: 3 }) }),
    fc.record({ flags: fc.subarray(["--set=skip-bad=true", "--set=allow-broad=true"]) }),
    fc.constant({ withdraw: true }),
  );
  let unread = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 8 }), async (actions) => {
      operator.remove();
      operator = await newOperator();
      let flags: readonly string[] = [];
      for (const name of ["1.txt", "2.txt"]) operator.write(name, "http://first.example/");
      for (const each of actions) {
        if ("file" in each) operator.write(each.file, ...each.text);
        else if ("except" in each) operator.write("lists.except", ...each.except);
        else if ("flags" in each) flags = each.flags;
        else await operator.run("withdraw", "malware");
        const args = ["malware=1.txt", "malware=2.txt", "--set", "allow-empty=true", ...flags];
        const said = await operator.publish(...args, "--set", "max-removed=100%");
        // A dry run always reads the sources.
        const plain = await operator.publish(...args, "--set", "max-removed=100%", "--dry-run");
        expect(plain.status).toBe(said.status);
        expect(plain.stdout).not.toContain("would be");
        // The line of an exception in its file may have changed, and only the sources tell which entries an exception
        // covers. Only the first version after a mark of whole hosts says that it ends.
        const linesOf = ({ stderr }: Ran) =>
          [...new Set(stderr.replaceAll(/\.except:\d+/g, "").split("\n"))]
            .filter((line) => !/ covers it| is not for a whole host/.test(line))
            .sort();
        expect(linesOf(said)).toEqual(linesOf(plain));
        if (said.stdout.includes("unchanged")) unread++;
      }
    }),
    { numRuns: sampleSize(30, 4), seed: 6 },
  );
  expect(unread).toBeGreaterThan(0);
});
