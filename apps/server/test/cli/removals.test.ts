import { readdirSync } from "node:fs";
import { join } from "node:path";
import { signerOf } from "@x/list-store";
import { directoryStorage } from "@x/list-store/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { mostRemoved, parseRemovalLimit } from "../../src/publish/removal-limits.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

describe("a source that was cut", () => {
  beforeEach(async () => {
    operator.write("urls.txt", ...hosts(0, 1000));
    await operator.publish("malware=urls.txt");
    operator.write("urls.txt", ...hosts(0, 50));
  });

  test("is refused, with what would go and how to insist", async () => {
    const { status, stdout, stderr } = await operator.publish("malware=urls.txt");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(
      stderr,
    ).toBe(`urlhash-server: malware: 950 of 1,000 entries would be removed; at most 100 may be, so version 1 stays in use
urlhash-server: malware: check the sources; if they are right, publish once with --set lists.malware.max-removed=950
urlhash-server: Nothing was published.
`);
    const insisted = await operator.publish(
      "malware=urls.txt",
      "--set",
      "lists.malware.max-removed=950",
    );
    expect(insisted.stdout).toMatch(/version 2, 50 entries: 0 added, 950 removed/);
  });

  test("is refused in a dry run, too, and leaves nothing behind", async () => {
    const objects = () =>
      readdirSync(join(operator.path, "lists/objects"), { recursive: true }).sort();
    const before = objects();
    expect(await operator.publish("malware=urls.txt", "--dry-run")).toMatchObject({ status: 1 });
    expect(await operator.publish("malware=urls.txt")).toMatchObject({ status: 1 });
    expect(objects()).toEqual(before);
  });

  test("does not stop the other lists, before or after it", async () => {
    for (const [name, lists] of [
      ["first", ["malware=urls.txt", "first=other.txt"]],
      ["second", ["second=other.txt", "malware=urls.txt"]],
    ] as const) {
      operator.write("other.txt", `http://${name}.example/`);
      const { status, stdout, stderr } = await operator.publish(...lists);
      expect(status).toBe(1);
      expect(stdout).toMatch(new RegExp(`^${name}: version 1, 1 entry`));
      expect(stdout).not.toMatch(/^malware/m);
      expect(stderr).toMatch(/^urlhash-server: Not published: malware\.$/m);
    }
  });

  test("is published when the settings of its list say so", async () => {
    operator.write(
      "urlhash-server.yaml",
      "max-removed: 5%",
      "lists:",
      "  malware:",
      "    max-removed: 95%",
    );
    operator.write("other.txt", ...hosts(0, 200));
    await operator.publish("intranet=other.txt");
    operator.write("other.txt", ...hosts(20, 200));
    const refused = await operator.publish("malware=urls.txt", "intranet=other.txt");
    expect(refused.stderr).toMatch(
      /intranet: 20 of 200 entries would be removed; at most 10 may be/,
    );
    expect(refused.stderr).not.toMatch(/malware:/);
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/version 2/);
  });

  test("a limit for an unknown list is named", async () => {
    const { stderr } = await operator.publish(
      "malware=urls.txt",
      "--set",
      "lists.mallware.max-removed=95%",
    );
    expect(stderr).toMatch(/lists\.mallware has settings, but there is no such list/);
  });

  test("the metrics say which list is kept, and why", async () => {
    operator.write("other.txt", "http://other.example/");
    const lists = ["malware=urls.txt", "intranet=other.txt", "--set", "metrics=lists.prom"];
    await operator.publish(...lists);
    expect(operator.read("lists.prom")).toMatch(
      /^urlhash_publish_kept\{list="malware",reason="removals"\} 1$/m,
    );
    expect(operator.read("lists.prom")).toMatch(/^urlhash_publish_version\{list="intranet"\} 1$/m);
    operator.write("urls.txt", "http://");
    await operator.publish(...lists);
    expect(operator.read("lists.prom")).toMatch(/\{list="malware",reason="source"\} 1$/m);
    await operator.publish(...lists, "--set", "signing-key=missing");
    expect(operator.read("lists.prom")).toMatch(/\{list="malware",reason="failure"\} 1$/m);
    operator.write("urls.txt", ...hosts(0, 1000));
    await operator.publish(...lists);
    expect(operator.read("lists.prom")).not.toMatch(/_kept\{.*\} 1$/m);
    expect(operator.read("lists.prom")).toMatch(
      /^urlhash_publish_last_run_timestamp_seconds \d{10}$/m,
    );
  });
});

describe("a list that shrinks a little with each version", () => {
  const HOUR = 3_600_000;

  /** Makes versions with these numbers of entries. The keys say how many hours ago each version was issued. */
  async function history(versions: Readonly<Record<string, number>>): Promise<void> {
    const directory = join(operator.path, "lists");
    const signer = await signerOf(operator.read("lists.key"));
    const publish = publisher(directoryStorage(directory), signer);
    for (const [hours, entries] of Object.entries(versions)) {
      const now = Date.now() - Number(hours) * HOUR;
      const expressions = hosts(0, entries).map((url) => url.slice("http://".length));
      await publish("malware", expressions, { now: () => now });
    }
  }

  async function publish(entries: number, ...args: string[]) {
    operator.write("urls.txt", ...hosts(0, entries));
    const { status, stdout, stderr } = await operator.publish("malware=urls.txt", ...args);
    return { status, said: (stdout + stderr).split("\n")[0] };
  }

  test("loses at most a tenth of its entries in 24 hours", async () => {
    await history({ "30.": 1000, "20.": 950, "10.": 910 });
    expect(await publish(899)).toEqual({
      status: 1,
      said: "urlhash-server: malware: it had 1,000 entries in the last 24 hours, and would have 899; at most 100 may go, so version 3 stays in use",
    });
    expect((await operator.publish("malware=urls.txt", "--dry-run")).stderr).toMatch(
      /publish once with --set lists.malware.max-removed=101$/m,
    );
    expect((await publish(900)).said).toMatch(/version 4, 900 entries/);
    expect((await publish(899)).status).toBe(1);
    expect((await publish(899, "--set", "lists.malware.max-removed=101")).said).toMatch(
      /version 5, 899/,
    );
    // The limits now count from this version.
    expect((await publish(810)).said).toMatch(/version 6, 810/);
    expect((await publish(809)).status).toBe(1);
    expect((await publish(809, "--set", "lists.malware.max-removed=20%")).said).toMatch(
      /version 7, 809/,
    );
  });

  test("may lose a tenth every day", async () => {
    await history({ "60.": 1000, "50.": 910, "25.": 830 });
    expect((await publish(750)).said).toMatch(/version 4, 750 entries/);
  });

  test("may lose what it has gained since", async () => {
    await history({ "30.": 1000, "3.": 1090, "2.": 1180 });
    expect((await publish(1062)).said).toMatch(/version 4, 1,062 entries/);
    expect((await publish(1061)).said).toMatch(/it had 1,180 entries in the last 24 hours/);
  });

  test("may change again and again while it keeps its length", async () => {
    for (let from = 0; from <= 360; from += 90) {
      operator.write("urls.txt", ...hosts(from, from + 1000));
      expect((await operator.publish("malware=urls.txt")).status).toBe(0);
    }
  });

  test("begins anew with a rollback", async () => {
    await history({ "5.": 850, "4.": 1000 });
    await operator.run("rollback", "malware", "1");
    expect((await publish(800, "--resume")).said).toMatch(/version 4, 800 entries/);
    expect((await publish(765)).said).toMatch(/version 5, 765 entries/);
    expect((await publish(764)).said).toMatch(/it had 850 entries in the last 24 hours/);
  });
});

test("a source without entries, or with too many bad ones, is refused with what to do", async () => {
  operator.write("urls.txt");
  expect((await operator.publish("malware=urls.txt")).stderr).toMatch(
    /^urlhash-server: urls\.txt: The source has no entries\. If that is right, use --set allow-empty=true\.$/m,
  );
  operator.write("urls.txt", "http://a.example/", ...Array(4950).fill("http://a b.example/"));
  const { stderr } = await operator.publish(
    "malware=urls.txt",
    "--set",
    "skip-bad=true",
    "--input",
    "urls",
  );
  expect(stderr).toMatch(
    /: 4,950 of 4,951 lines were refused; at most 10% may be\. Correct them, or name the format/,
  );
});

test("numbers are written in one style, but not for programs", async () => {
  operator.write("urls.txt", ...hosts(0, 1500));
  const { stdout } = await operator.publish("malware=urls.txt");
  expect(stdout).toMatch(/version 1, 1,500 entries: 1,500 added, 0 removed/);
  expect((await operator.run("show", "malware")).stdout).toMatch(/that of 1,500 prefixes\./);
  expect((await operator.run("show", "malware")).stdout).toMatch(/"fullHashes": 1500/);
  operator.write("urls.txt", ...hosts(0, 10));
  expect((await operator.publish("malware=urls.txt")).stderr).toMatch(
    /: 1,490 of 1,500 entries would be removed; at most 150 may be, .*--set lists.malware.max-removed=1490\n/s,
  );
});

test("what is removed from short lists is not limited by a share, but by a number", async () => {
  operator.write("urls.txt", ...hosts(0, 100));
  await operator.publish("malware=urls.txt");
  operator.write("urls.txt", ...hosts(0, 10));
  expect((await operator.publish("malware=urls.txt", "--set", "max-removed=5")).status).toBe(1);
  expect((await operator.publish("malware=urls.txt")).status).toBe(0);
});

test.each([
  ["10%", 1009, 100],
  ["10%", 100, 100],
  ["10%", 101, 10],
  ["0%", 1000, 0],
  ["7", 50, 7],
  ["0", 1000, 0],
])("%s of %i entries allows %i", (limit, entries, most) => {
  expect(mostRemoved(parseRemovalLimit(limit)!, entries)).toBe(most);
});
