import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
  for (const entries of [hosts(0, 3), hosts(0, 5), [...hosts(0, 5), "http://good.example/"]]) {
    operator.write("urls.txt", ...entries);
    await operator.publish("malware=urls.txt");
  }
});
afterEach(() => operator.remove());

const rollback = (...args: string[]) => operator.run("rollback", "malware", ...args);
/** The identifier of the entries of a version. The same entries have the same identifier. */
const entriesOf = async (version: number) =>
  /"entries": "(.*)"/.exec((await operator.run("show", "malware", String(version))).stdout)![1];

describe("rollback", () => {
  test("publishes the entries of an older version, without the source", async () => {
    operator.write("urls.txt", "http://");
    const { status, stdout } = await rollback("1");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: "malware: version 4, 3 entries: 0 added, 3 removed, as in version 1\n",
    });
    expect(await entriesOf(4)).toBe(await entriesOf(1));
    const show = await operator.run("show", "malware");
    expect(show.stdout).toMatch(/The signature is good/);
    expect((await operator.run("log", "malware", "-n", "1")).stdout).toMatch(
      /\+0 -3\trolled back to v1$/m,
    );
  });

  test("holds until the operator resumes, whatever the source has", async () => {
    await rollback("1");
    const held = await operator.publish("malware=urls.txt", "--set", "metrics=lists.prom");
    expect(held).toEqual({
      status: 0,
      stdout: "malware: unchanged at version 4, 3 entries\n",
      stderr:
        "urlhash-server: malware: version 4 stays in use, because it was rolled back to version 1, although its sources have other entries; when the sources are good again, publish once with --resume\n",
    });
    expect(operator.read("lists.prom")).toMatch(/\{list="malware",reason="rollback"\} 1$/m);
    for (const entries of [[...hosts(0, 5), "http://new.example/"], hosts(0, 4), hosts(7, 9)]) {
      operator.write("urls.txt", ...entries);
      const { stdout, stderr } = await operator.publish("malware=urls.txt");
      expect(stdout).toMatch(/unchanged at version 4/);
      expect(stderr).toMatch(/rolled back to version 1/);
    }
    const dry = await operator.publish("malware=urls.txt", "--dry-run");
    expect(dry.stderr).toMatch(/rolled back to version 1/);
    operator.write("urls.txt", ...hosts(0, 4));
    const resumed = await operator.publish("malware=urls.txt", "--resume");
    expect(resumed).toMatchObject({ status: 0, stderr: "" });
    expect(resumed.stdout).toMatch(/version 5, 4 entries/);
    operator.write("urls.txt", ...hosts(0, 5));
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/version 6, 5 entries/);
  });

  test("is not noticed while the source has the same entries, which may end it", async () => {
    await rollback("1");
    operator.write("urls.txt", ...hosts(0, 3));
    expect(await operator.publish("malware=urls.txt")).toMatchObject({ status: 0, stderr: "" });
    expect((await operator.publish("malware=urls.txt", "--resume")).stdout).toMatch(
      /version 5, 3 entries: 0 added, 0 removed/,
    );
    operator.write("urls.txt", ...hosts(0, 4));
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/version 6, 4 entries/);
  });

  test("to the entries that the list has begins to hold, too", async () => {
    expect((await rollback("3")).stdout).toMatch(/version 4, 6 entries: 0 added, 0 removed/);
    operator.write("urls.txt", ...hosts(0, 9));
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/unchanged at version 4/);
    expect((await rollback("3")).stdout).toMatch(/unchanged at version 4/);
  });

  test("leaves out exceptions that are added later, when it is repeated", async () => {
    await rollback("1");
    expect((await operator.run("except add", "h1.example")).stdout).toMatch(
      /^malware has h1\.example\/ in version 4: rollback malware 4 leaves it out$/m,
    );
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/unchanged at version 4/);
    expect((await rollback("4")).stdout).toMatch(/version 5, 2 entries: 0 added, 1 removed/);
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/unchanged at version 5/);
  });

  test("is not ended by --watch", async () => {
    const { status, stderr } = await operator.publish("malware=urls.txt", "--watch", "--resume");
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "urlhash-server: --resume is for a single run: use it without --watch\n",
    });
  });

  test("holds for its list alone", async () => {
    await rollback("1");
    operator.write("other.txt", "http://other.example/");
    const { status, stdout } = await operator.publish("malware=urls.txt", "intranet=other.txt");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^malware: unchanged at version 4/m);
    expect(stdout).toMatch(/^intranet: version 1, 1 entry/m);
  });

  test("holds while the version is signed again", async () => {
    await rollback("1");
    const renewed = await operator.publish("malware=urls.txt", "--set", "lifetime=365d");
    expect(renewed.stdout).toMatch(/signed again as version 5, 3 entries/);
    expect((await operator.publish("malware=urls.txt")).stderr).toMatch(/rolled back to version 1/);
  });

  test("can be undone by resuming, by another rollback, and by withdrawing", async () => {
    await rollback("1");
    const resumed = await operator.publish("malware=urls.txt", "--resume");
    expect(resumed.stdout).toMatch(/version 5, 6 entries: 3 added/);
    await rollback("2");
    expect((await rollback("5")).stdout).toMatch(/version 7, 6 entries.*, as in version 5/);
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/unchanged at version 7/);
    await operator.run("withdraw", "malware");
    await rollback("7");
    expect((await operator.run("withdraw", "malware")).stdout).toMatch(/withdrawn, version 10/);
    expect((await rollback("8")).stdout).toMatch(/version 11, 0 entries/);
  });

  test("needs what gc keeps, and says which versions there are", async () => {
    expect(
      (await operator.run("gc", "--set", "keep.versions=2", "--set", "keep.unused=0s")).status,
    ).toBe(0);
    const { status, stderr } = await rollback("1");
    expect(status).toBe(2);
    expect(stderr).toBe(
      "urlhash-server: The store no longer has all of version 1 of malware, but it has versions 2, 3 (see keep.versions)\n",
    );
    expect((await rollback("2")).stdout).toMatch(/version 4, 5 entries/);
    expect(
      (await operator.run("gc", "--set", "keep.versions=1", "--set", "keep.unused=0s")).status,
    ).toBe(0);
    expect((await operator.run("show", "malware")).stdout).toMatch(/The signature is good/);
  });

  test("leaves exceptions out", async () => {
    operator.write("urls.txt", "http://h0.example/");
    await operator.publish("malware=urls.txt");
    await operator.run("except add", "good.example");
    const { stdout, stderr } = await rollback("3");
    expect(stdout).toMatch(/version 5, 5 entries: 4 added, 0 removed/);
    expect(stderr).toMatch(/malware: good\.example\/ was left out \(.*lists\.except:2\)/);
  });

  test.each([
    [["9"], /has no version 9 of list malware/],
    [["0"], /has no version 0 of list malware/],
    [["x"], /expected a whole number/],
    [["1", "--set", "signing-key=missing"], /The signing key \S+missing does not exist/],
  ])("%j is refused", async (args, message) => {
    const { status, stdout, stderr } = await rollback(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(await operator.log("malware")).toHaveLength(3);
  });
});
