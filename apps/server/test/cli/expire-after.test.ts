import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pass, startAt } from "../support/another-time.ts";
import { type Feed, newFeed } from "../support/feed.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

let operator: Operator;
let setRight: () => void;
beforeEach(async () => {
  setRight = startAt(Date.UTC(2040, 0, 1));
  operator = await newOperator();
});
afterEach(() => {
  setRight();
  operator.remove();
});

/** Sets the sources of the list, and other lines of the settings. */
const configure = (sources: readonly string[], ...others: string[]) =>
  operator.write(
    "urlhash-server.yaml",
    "lists:",
    "  malware:",
    `    sources: [${sources}]`,
    ...others,
  );

/** Publishes, and returns what was said and how many entries the newest version has. */
async function publish(...args: string[]): Promise<{ said: string; entries: number }> {
  const { status, stdout, stderr } = await operator.publish(...args);
  const said = (stdout + stderr).replaceAll(`${operator.path}/`, "");
  expect({ status, said: status === 0 ? "" : said }).toEqual({ status: 0, said: "" });
  const entries = (await operator.log("malware")).at(-1)!.split(" ")[0];
  return { said, entries: Number(entries) };
}

/** Lets time pass and publishes, a few days at a time, so that no publishing is long ago. */
async function publishFor(days: number): Promise<void> {
  for (let left = days; left > 0; left -= 5) {
    pass(Math.min(left, 5) * DAY);
    await publish();
  }
}

describe("entries that end", () => {
  beforeEach(async () => {
    operator.write("urls.txt", ...hosts(0, 200));
    configure(["urls.txt"], "    expire-after: 20d");
    await publish();
  });

  test("leave the list on time, however many they are, although their source has not changed", async () => {
    pass(10 * DAY);
    operator.write("urls.txt", ...hosts(0, 210));
    expect((await publish()).entries).toBe(210);
    await publishFor(9);
    pass(DAY - HOUR);
    expect(await publish()).toMatchObject({
      entries: 210,
      said: expect.stringMatching("unchanged"),
    });
    pass(HOUR);
    const { said, entries } = await publish();
    expect(entries).toBe(10);
    expect(said).toContain("malware: 200 entries of urls.txt (lines ");
    expect(said).toContain(", …) ended after 20 days\n");
    expect(said).toContain("version 3, 10 entries: 0 added, 200 removed");
    expect((await publish()).said).toBe("malware: unchanged at version 3, 10 entries\n");
    const why = (await operator.run("why", "h7.example")).stdout;
    expect(why).toMatch(/h7\.example\/ is not on the list\n.*:8 since .*; it has ended/);
  });

  test("are few enough on the same day to leave a check of other removals in place", {
    tags: "deep",
  }, async () => {
    await publishFor(19);
    operator.write("urls.txt", ...hosts(0, 1000));
    await publish();
    pass(DAY);
    // 200 entries end, and 110 of the others are missing.
    operator.write("urls.txt", ...hosts(0, 890));
    const refused = await operator.publish();
    expect(refused).toMatchObject({ status: 1 });
    expect(refused.stderr).toMatch(/110 of 1,000 entries would be removed; at most 100 may be/);
    operator.write("urls.txt", ...hosts(0, 940));
    expect((await publish()).entries).toBe(740);
    pass(HOUR);
    // Besides those that ended, 60 of 800 went already.
    operator.write("urls.txt", ...hosts(0, 910));
    expect((await operator.publish()).stderr).toMatch(
      /it had 800 entries in the last 24 hours, besides those that have ended, and would have 710/,
    );
  });

  test("need permission if the sources were last read long ago, because the clock may be wrong", async () => {
    pass(300 * DAY);
    const { status, stderr } = await operator.publish();
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/200 of 200 entries would be removed; at most 20 may be/),
    });
    expect(
      (await publish("--set", "lists.malware.max-removed=100%", "--set", "allow-empty=true"))
        .entries,
    ).toBe(0);
  });

  test("count anew when they come back", { tags: "deep" }, async () => {
    await publishFor(19);
    operator.write("urls.txt", ...hosts(1, 200));
    expect((await publish()).entries).toBe(199);
    pass(HOUR);
    operator.write("urls.txt", ...hosts(0, 200));
    expect((await publish()).entries).toBe(200);
    pass(DAY);
    expect((await publish()).entries).toBe(1);
    await publishFor(18);
    expect((await publish()).entries).toBe(1);
    pass(DAY);
    expect((await publish()).entries).toBe(0);
  });

  test("stay as long as another source still has them", { tags: "deep" }, async () => {
    await publishFor(15);
    operator.write("more.txt", ...hosts(0, 5));
    configure(["urls.txt", "{source: more.txt, expire-after: 30d}"], "    expire-after: 20d");
    expect((await publish()).entries).toBe(200);
    await publishFor(5);
    expect((await publish()).entries).toBe(5);
    await publishFor(20);
    expect((await publish()).entries).toBe(5);
    await publishFor(5);
    expect((await publish()).entries).toBe(0);
  });

  test("are counted from now on when the record is lost", async () => {
    await publishFor(19);
    rmSync(join(operator.path, "lists.sightings"), { recursive: true });
    const { said } = await publish();
    expect(said).toMatch(
      /malware\.bin had no record of its entries yet, so expire-after counts from now on/,
    );
    await publishFor(19);
    expect((await publish()).entries).toBe(200);
    pass(DAY);
    expect((await publish()).entries).toBe(0);
  });

  test("are only announced in a dry run", async () => {
    await publishFor(19);
    pass(DAY);
    for (let time = 0; time < 2; time++) {
      const { said, entries } = await publish("--dry-run");
      expect({ said, entries }).toEqual({
        entries: 200,
        said: expect.stringMatching(
          /200 entries of urls\.txt .* ended after 20 days\n.*would be version 2, 0 entries/,
        ),
      });
    }
    expect((await publish()).said).toMatch(/200 entries of urls\.txt .* ended/);
  });

  test("are on the list again when the setting goes", async () => {
    await publishFor(20);
    expect((await publish()).entries).toBe(0);
    configure(["urls.txt"]);
    expect((await publish()).entries).toBe(200);
  });

  test("are counted in the metrics, whether or not the source is read again", async () => {
    await publishFor(19);
    pass(DAY);
    const metrics = ["--set", `metrics=${join(operator.path, "lists.prom")}`];
    for (let time = 0; time < 2; time++) {
      await publish(...metrics);
      expect(operator.read("lists.prom")).toContain(
        'urlhash_publish_ended_entries{list="malware"} 200\n',
      );
    }
  });
});

describe("a source that is away", () => {
  let feed: Feed;
  beforeEach(async () => {
    feed = await newFeed();
    feed.send(`${hosts(0, 10).join("\n")}\n`);
    configure([feed.url], "    expire-after: 20d");
    await publish();
  });
  afterEach(() => feed.close());

  test("does not make its entries older", async () => {
    const text = `${hosts(0, 10).join("\n")}\n`;
    await publishFor(15);
    feed.answer((_, response) => response.writeHead(503).end());
    for (let day = 0; day < 60; day += 6) {
      pass(6 * DAY);
      const { status, stderr } = await operator.publish();
      expect({ status, stderr }).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/503 .*stays in use/),
      });
      expect((await operator.log("malware")).at(-1)).toMatch(/^10 /);
    }
    feed.send(text);
    expect((await publish()).entries).toBe(0);
  });
});

test.each(["59s", "0s", "90", "-1d", "10000d"])("expire-after: %s is refused", async (given) => {
  operator.write("urls.txt", ...hosts(0, 2));
  configure(["urls.txt"], `    expire-after: ${given}`);
  const { status, stderr } = await operator.publish();
  expect({ status, stderr }).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /lists\.malware\.expire-after: expected a duration from 1m to 9999d/,
    ),
  });
});

describe("a column with dates", () => {
  const day = (n: number) => new Date(Date.UTC(2040, 0, 1 + n)).toISOString().slice(0, 10);
  const table = (...rows: string[]) => operator.write("urls.csv", "host,seen,kind", ...rows);
  const source =
    "{source: urls.csv, column: host, where: all, date-column: seen, expire-after: 20d}";
  const rows = Array.from({ length: 150 }, (_, i) => `keep${i}.example,${day(0)},a`);

  beforeEach(() => configure([source]));

  test("says when entries end, and starts their time again when it changes", async () => {
    table(...rows, `old.example,${day(-15)},a`, `over.example,${day(-21)},a`);
    // What is too old is not added to the list.
    expect(await publish()).toMatchObject({ entries: 151 });
    expect((await operator.run("why", "over.example")).stdout).toMatch(
      /csv.*dates in seen.*has ended/,
    );
    pass(4 * DAY);
    expect((await publish()).entries).toBe(151);
    pass(DAY);
    const { entries, said } = await publish();
    expect(entries).toBe(150);
    expect(said).toMatch(/1 entry of urls\.csv \(line 152\) ended after 20 days, as 1 did before/);
    table(...rows, `old.example,${day(5)},a`, `over.example,${day(-21)},a`);
    expect((await publish()).entries).toBe(151);
    await publishFor(14);
    table(...rows.map((row) => row.replace(day(0), day(18))), `old.example,${day(5)},a`);
    await publish();
    await publishFor(6);
    expect((await operator.log("malware")).at(-1)).toMatch(/^150 /);
  });

  test("that cannot be read is a warning, and the entry counts from first sight", async () => {
    table(
      ...rows,
      "a.example,03/04/2040,a",
      "b.example,,a",
      `c.example,${day(2)},a`,
      "d.example,2041-01-01,a",
    );
    const { entries, said } = await publish();
    expect(entries).toBe(154);
    expect(said).toMatch(/152.*"03\/04\/2040" is not a date such as 2026-11-29/);
    expect(said).toMatch(/153.*there is no date; the age of the entry counts from first sight/);
    expect(said).toMatch(/154.*"2040-01-03" is not a date.*future/);
    expect(said).toMatch(/155.*"2041-01-01" is not a date.*future/);
    await publishFor(15);
    expect((await publish()).entries).toBe(154);
    // With the list, the rows that say nothing end 20 days after first sight.
    table(...rows.map((row) => row.replace(day(0), day(14))), "a.example,03/04/2040,a");
    await publish();
    await publishFor(5);
    expect((await publish()).entries).toBe(150);
  });

  test("may be a field of JSON, and the newest date of a repeated entry counts", async () => {
    configure([source.replace("urls.csv", "urls.json").replace("host", '"data[].host"')]);
    const data = (...pairs: [string, string | number][]) =>
      operator.write(
        "urls.json",
        JSON.stringify({ data: pairs.map(([host, seen]) => ({ host, seen })) }),
      );
    const seconds = Date.UTC(2040, 0, 1) / 1000;
    const some = Array.from({ length: 120 }, (_, i): [string, number] => [
      `k${i}.example`,
      seconds,
    ]);
    data(...some, ["a.example", day(-15)], ["a.example", day(-10)], ["b.example", day(-15)]);
    expect((await publish()).entries).toBe(122);
    pass(6 * DAY);
    expect((await publish()).entries).toBe(121);
    pass(5 * DAY);
    expect((await publish()).entries).toBe(120);
  });

  test("that is missing is a problem of the source", async () => {
    operator.write("urls.csv", "host,when", `a.example,${day(0)}`);
    const { status, stderr } = await operator.publish();
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /a table without a column "seen".*such as "host", "when".*\(date-column\)$/m,
    );
  });
});
