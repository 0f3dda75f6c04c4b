import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fullHash } from "@x/sha256-prefix";
import { IS_DEEP } from "@x/test-support/sample-size";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { randomNumbers } from "../../../../packages/list-store/test/support/publishing.ts";
import { findSightings, openSightings } from "../../src/publish/sightings-file.ts";
import { pass, startAt } from "../support/another-time.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const START = Date.UTC(2040, 0, 1);

let operator: Operator;
let setRight: () => void;
beforeEach(async () => {
  setRight = startAt(START);
  operator = await newOperator();
});
afterEach(() => {
  setRight();
  operator.remove();
});

const inFolder = (name: string) => join(operator.path, name);
const timeOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

interface Reason {
  readonly expression: string;
  readonly since: { at: string; orEarlier: boolean } | null;
  readonly listed: boolean;
  readonly sightings: readonly Record<string, unknown>[];
}

async function why(url: string): Promise<readonly Reason[]> {
  const { status, stdout, stderr } = await operator.run("why", url, "--json");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function whyText(url: string): Promise<string> {
  return (await operator.run("why", url)).stdout.replaceAll(`${operator.path}/`, "");
}

async function publish(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await operator.publish(...args);
  expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  return stdout + stderr;
}

describe("why", () => {
  beforeEach(async () => {
    operator.write("urls.txt", ...hosts(0, 20), "http://evil.example/login", "kept.example");
    operator.write("feed.csv", "link,verdict", "evil.example,bad", "h3.example,bad", "ok.example,");
    operator.write("popular.txt", "# never", "h9.example");
    operator.write("my.except", "h5.example");
    operator.write(
      "urlhash-server.yaml",
      "lists:",
      "  malware:",
      "    sources: [urls.txt, {source: feed.csv, column: link, where: verdict=bad}]",
      "    exceptions: my.except",
      "never-block: popular.txt",
    );
    await publish();
  });

  test("names the source, the line, how it was read, and since when, for each expression", async () => {
    expect(await whyText("https://evil.example/login?from=mail")).toBe(
      `malware: evil.example/login is on the list since 2040-01-01T00:00:00Z
  urls.txt:21 since 2040-01-01T00:00:00Z
malware: evil.example/ is on the list since 2040-01-01T00:00:00Z
  feed.csv:2 (csv, column link, where verdict=bad) since 2040-01-01T00:00:00Z
`,
    );
    expect(await whyText("ok.example")).toBe("ok.example is in no source of any list\n");
  });

  test("looks up the hosts of v5, too", async () => {
    operator.write("urls.txt", ...hosts(0, 20), "c.d.e.evil.co.uk");
    await publish();
    const reasons = await why("http://a.b.c.d.e.evil.co.uk/");
    expect(reasons.map(({ expression }) => expression)).toEqual(["c.d.e.evil.co.uk/"]);
  });

  test("keeps the dates when an entry moves from one source to another", async () => {
    pass(DAY);
    operator.write("urls.txt", "new.example", ...hosts(0, 20));
    operator.write("feed.csv", "link,verdict", "x.example,bad", "evil.example/login,bad");
    await publish();
    expect(await whyText("http://evil.example/login")).toBe(
      `malware: evil.example/login is on the list since 2040-01-01T00:00:00Z
  feed.csv:3 (csv, column link, where verdict=bad) since 2040-01-02T00:00:00Z
`,
    );
    expect(await why("h3.example")).toMatchObject([
      { since: { at: timeOf(START), orEarlier: false }, sightings: [{ line: 5 }] },
    ]);
  });

  test("keeps the dates when a source moves from the settings to the command line", async () => {
    pass(DAY);
    await publish("malware=urls.txt");
    expect(await whyText("h4.example")).toMatch(/^ {2}urls\.txt:5 since 2040-01-01T00:00:00Z$/m);
  });

  test("names the exception that leaves out an entry", async () => {
    expect(await whyText("h5.example")).toBe(`malware: h5.example/ is not on the list
  urls.txt:6 since 2040-01-01T00:00:00Z; left out by my.except:1
`);
    expect(await whyText("h9.example")).toMatch(/left out by popular\.txt:2\n$/);
  });

  test("says when the list is not as its sources were", async () => {
    operator.write("urls.txt", ...hosts(0, 18));
    await publish();
    await operator.run("rollback", "malware", "1");
    expect((await operator.run("why", "h1.example")).stderr).toMatch(
      /malware: the list was rolled back to version 1, which may have other entries/,
    );
    await operator.run("withdraw", "malware");
    const { status, stderr } = await operator.run("why", "h1.example");
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/the list was withdrawn, so nothing is on it/),
    });
  });

  test("reads a URL as browsers do, too", async () => {
    expect(await whyText("http://kept.example\\@other.example/")).toMatch(
      /^malware: kept\.example\/ is on the list since /,
    );
  });

  test.each(["http://", "http://a b/", ""])("refuses %s", async (url) => {
    const { status, stdout, stderr } = await operator.run("why", url);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/^urlhash-server: .*\n$/);
  });
});

describe("a reason and a contact", () => {
  const configure = (...about: string[]) =>
    operator.write(
      "urlhash-server.yaml",
      "lists:",
      "  malware:",
      "    sources: [urls.txt]",
      ...about.map((line) => `    ${line}`),
    );
  const manifest = async () => {
    const { stdout } = await operator.run("show", "malware");
    return JSON.parse(/\{.*^\}/ms.exec(stdout)![0]);
  };
  beforeEach(async () => {
    operator.write("urls.txt", ...hosts(0, 20));
    configure("reason: phishing", "contact: lists@example.com");
    await publish();
  });

  test("are signed with the list, and shown by why", async () => {
    expect(await manifest()).toMatchObject({
      version: 1,
      about: { reason: "phishing", contact: "lists@example.com" },
    });
    expect(await whyText("h1.example")).toMatch(/^malware: phishing; lists@example\.com$/m);
    expect(await publish()).toMatch(/unchanged at version 1/);
  });

  test("are signed again when they change, although the sources have not", async () => {
    configure("reason: What the court has ordered");
    expect(await publish()).toMatch(/signed again as version 2/);
    expect((await manifest()).about).toEqual({ reason: "What the court has ordered" });
    configure();
    expect(await publish()).toMatch(/signed again as version 3/);
    expect(await manifest()).not.toHaveProperty("about");
  });

  test("stay in versions that are made without sources", async () => {
    await operator.run("withdraw", "malware");
    expect(await manifest()).toMatchObject({ withdrawn: true, about: { reason: "phishing" } });
    await operator.run("rollback", "malware", "1");
    expect(await manifest()).toMatchObject({ version: 3, about: { reason: "phishing" } });
  });

  test.each([
    ["reason: ''", /reason: expected one line/],
    ['reason: "a\\nb"', /reason: expected one line/],
    ["contact: javascript:alert(1)", /contact: expected an email address or a URL/],
  ])("%s is refused", async (line, problem) => {
    configure(line);
    const { status, stderr } = await operator.publish();
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(problem) });
  });
});

describe("the record of sightings", () => {
  const file = () => inFolder("lists.sightings/malware.bin");
  beforeEach(async () => {
    operator.write("urls.txt", ...hosts(0, 20));
    await publish("malware=urls.txt");
    pass(DAY / 2);
  });

  test("has 24 bytes for each entry and source", () => {
    // At the end are the facts, their length in four bytes, and a SHA-256.
    const bytes = readFileSync(file());
    const facts = bytes.readUInt32BE(bytes.length - 36);
    expect(bytes.length - 36 - facts).toBe(20 * 24);
  });

  test("is only for its owner, and has hashes instead of hosts", () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(inFolder("lists.sightings")).mode & 0o777).toBe(0o700);
    // So git leaves out the whole folder.
    expect(operator.read("lists.sightings/.gitignore")).toBe("*\n");
    expect(operator.read("lists.sightings/malware.bin")).not.toMatch(/h1\.|example/);
  });

  test.each([
    ["lost", () => rmSync(file())],
    ["cut", () => writeFileSync(file(), readFileSync(file()).subarray(0, 500))],
    ["empty", () => writeFileSync(file(), "")],
    [
      "changed in one bit",
      () => {
        const bytes = readFileSync(file());
        bytes[100]! ^= 1;
        writeFileSync(file(), bytes);
      },
    ],
    [
      "of another list that is newer",
      () => writeFileSync(file(), Buffer.concat([readFileSync(file()), Buffer.alloc(100)])),
    ],
  ])("is made again when it is %s, although the sources are the same", async (_, damage) => {
    damage();
    expect((await operator.run("why", "h1.example")).stderr).toMatch(
      /there is no record in \S*malware\.bin: publish makes one/,
    );
    expect(await publish("malware=urls.txt")).toMatch(/unchanged at version 1/);
    const since = { at: timeOf(START + DAY / 2), orEarlier: true };
    expect(await why("h1.example")).toMatchObject([{ since, sightings: [{ since, line: 2 }] }]);
    expect(await whyText("h1.example")).toMatch(/since 2040-01-01T12:00:00Z or earlier/);
    expect(await publish("malware=urls.txt")).toBe("malware: unchanged at version 1, 20 entries\n");
    pass(DAY);
    operator.write("urls.txt", ...hosts(0, 21));
    await publish("malware=urls.txt");
    expect(await why("h20.example")).toMatchObject([
      { since: { at: timeOf(START + 1.5 * DAY), orEarlier: false } },
    ]);
  });

  test("stays as it is while publishing is refused", async () => {
    const before = readFileSync(file());
    operator.write("urls.txt", "http://");
    expect((await operator.publish("malware=urls.txt")).status).toBe(1);
    operator.write("urls.txt", ...hosts(0, 30));
    expect((await operator.publish("malware=urls.txt", "--dry-run")).status).toBe(0);
    expect(readFileSync(file())).toEqual(before);
  });

  test("that cannot be written does not stop publishing, and is made later", async () => {
    rmSync(inFolder("lists.sightings"), { recursive: true });
    writeFileSync(inFolder("lists.sightings"), "");
    expect(await publish("malware=urls.txt")).toMatch(/are not recorded/);
    rmSync(inFolder("lists.sightings"));
    await publish("malware=urls.txt");
    expect(await why("h1.example")).toHaveLength(1);
  });
});

/* Against a plain record */

const [PUBLISHINGS, ASKED, ENTRIES] = IS_DEEP ? [200, 50, 600] : [20, 20, 120];

/** What a person would write down about an entry in a source. */
interface Noted {
  since: number;
  line: number;
}

interface PlainSource {
  /** How long entries stay, in days. */
  readonly days: number | null;
  lines: string[];
  noted: Map<string, Noted>;
}

test("why is right over many publishings with sources that change, move, vanish and come back", {
  timeout: 600_000,
}, async () => {
  const random = randomNumbers(63);
  const below = (count: number) => Math.floor(random() * count);
  const entry = () => `e${below(ENTRIES)}.example/`;
  const some = (count: number) => Array.from({ length: count }, entry);
  let sources = new Map<string, PlainSource>();
  let exceptions = new Set<string>();
  const listedSince = new Map<string, number>();
  const days = [null, 5, 12, null];
  for (const [i, each] of days.entries())
    sources.set(`s${i}.txt`, { days: each, lines: some(ENTRIES / 3), noted: new Map() });
  const away = new Map<string, PlainSource>();
  let moves = 0;
  const reached = { ended: 0, excepted: 0, moved: 0, unlisted: 0, several: 0, vanished: 0 };

  for (let publishing = 0; publishing < PUBLISHINGS; publishing++) {
    pass(HOUR * (1 + below(48)));
    for (const source of sources.values()) {
      const chance = random();
      if (chance < 0.3) source.lines = source.lines.filter(() => random() < 0.9);
      if (chance < 0.6) source.lines = [...source.lines, ...some(below(ENTRIES / 10))];
      if (chance > 0.8) source.lines.sort(() => random() - 0.5);
    }
    for (const [name, source] of away) {
      if (random() > 0.3) continue;
      sources = new Map([[name, source], ...sources]);
      away.delete(name);
    }
    const names = [...sources.keys()];
    if (random() < 0.2 && names.length > 2) {
      // A source is taken out of the settings, and what it had noted is gone.
      const name = names[below(names.length)]!;
      away.set(name, { ...sources.get(name)!, noted: new Map() });
      sources.delete(name);
      reached.vanished++;
    }
    if (random() < 0.2) {
      // A source moves to another file, and its entries go on being listed.
      const name = [...sources.keys()][below(sources.size)]!;
      const moved = { ...sources.get(name)!, noted: new Map<string, Noted>() };
      sources.delete(name);
      sources.set(`moved${moves++}.txt`, moved);
    }
    if (random() < 0.3) exceptions = new Set(some(below(5)));
    for (const [name, { lines }] of sources)
      operator.write(name, ...lines.map((line) => `http://${line}`));
    operator.write("my.except", "# exceptions", ...exceptions);
    operator.write(
      "urlhash-server.yaml",
      "lists:",
      "  malware:",
      "    exceptions: my.except",
      "    max-removed: 100%",
      "    allow-empty: true",
      "    sources:",
      ...[...sources].map(
        ([name, source]) =>
          `      - {source: ${name}${source.days === null ? "" : `, expire-after: ${source.days}d`}}`,
      ),
    );
    await publish();

    // The plain record of the same publishing.
    const now = Date.now();
    for (const source of sources.values()) {
      const noted = new Map<string, Noted>();
      for (const [i, line] of source.lines.entries()) {
        if (noted.has(line)) continue;
        noted.set(line, { since: source.noted.get(line)?.since ?? now, line: i + 1 });
      }
      source.noted = noted;
    }
    const stateIn = (source: PlainSource, line: string) => {
      if (exceptions.has(line)) return "excepted";
      const isOld =
        source.days !== null && now - source.noted.get(line)!.since >= source.days * DAY;
      return isOld ? "ended" : "listed";
    };
    for (let i = 0; i < ENTRIES; i++) {
      const line = `e${i}.example/`;
      const isListed = [...sources.values()].some(
        (source) => source.noted.has(line) && stateIn(source, line) === "listed",
      );
      if (!isListed) listedSince.delete(line);
      else if (!listedSince.has(line)) listedSince.set(line, now);
    }
    expect((await operator.log("malware")).at(-1)).toMatch(new RegExp(`^${listedSince.size} `));

    const recorded = (await openSightings(inFolder("lists.sightings/malware.bin")))!;
    for (let asked = 0; asked < ASKED; asked++) {
      const line = entry();
      const since = listedSince.get(line) ?? null;
      const expected = [...sources].flatMap(([name, source]) => {
        const noted = source.noted.get(line);
        if (noted === undefined) return [];
        return [{ ...noted, source: inFolder(name), state: stateIn(source, line) }];
      });
      const { listed, sightings } = await findSightings(recorded, fullHash(line));
      expect({
        since: listed === null ? null : listed * 1000,
        sightings: sightings.map((each) => ({
          ...each,
          source: each.source.name,
          since: each.since * 1000,
        })),
      }).toEqual({ since, sightings: expected });
      if (asked === 0) {
        const [reason] = await why(line);
        const same = expected.map((each) => ({ ...each, since: { at: timeOf(each.since) } }));
        if (expected.length === 0) expect(reason).toBeUndefined();
        else expect(reason).toMatchObject({ listed: since !== null, sightings: same });
      }
      reached.ended += Number(expected.some(({ state }) => state === "ended"));
      reached.excepted += Number(expected.some(({ state }) => state === "excepted"));
      reached.unlisted += Number(expected.length > 0 && since === null);
      reached.several += Number(expected.length > 1);
      reached.moved += Number(since !== null && expected.every((each) => each.since > since));
    }
    await recorded.close();
  }
  for (const [what, times] of Object.entries(reached))
    expect([what, times > 0]).toEqual([what, true]);
});
