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
/** The shards of full hashes of a version: the same for the same entries. */
const shardsOf = async (version: number) =>
  /"shards": "(.*)"/.exec((await operator.run("show", "malware", String(version))).stdout)![1];

describe("rollback", () => {
  test("publishes the entries of an older version, without the source", async () => {
    operator.write("urls.txt", "http://");
    const { status, stdout } = await rollback("1");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: "malware: version 4, 3 entries: 0 added, 3 removed, as in version 1\n",
    });
    expect(await shardsOf(4)).toBe(await shardsOf(1));
    const show = await operator.run("show", "malware");
    expect(show.stdout).toMatch(/The signature is good/);
    expect((await operator.run("log", "malware", "-n", "1")).stdout).toMatch(
      /\+0 -3\trolled back to v1$/m,
    );
  });

  test("holds until the source has other entries", async () => {
    await rollback("1");
    const held = await operator.publish("malware=urls.txt", "--metrics", "lists.prom");
    expect(held).toMatchObject({
      status: 0,
      stdout: "malware: unchanged at version 4, 3 entries\n",
    });
    expect(held.stderr).toMatch(
      /malware: the sources still have the entries of version 3, which was rolled back to version 1; nothing is published until they change, or with --despite-rollback/,
    );
    expect(operator.read("lists.prom")).toMatch(/\{list="malware",reason="rollback"\} 1$/m);
    // The same entries in another order, and those of the other version that was taken back.
    operator.write("urls.txt", "# better?", "http://good.example/", ...hosts(0, 5).reverse());
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/unchanged at version 4/);
    operator.write("urls.txt", ...hosts(0, 5));
    expect((await operator.publish("malware=urls.txt")).stderr).toMatch(/entries of version 2, /);
    operator.write("urls.txt", ...hosts(0, 3), "http://new.example/");
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/version 5, 4 entries/);
    operator.write("urls.txt", ...hosts(0, 5));
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/version 6, 5 entries/);
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
    const renewed = await operator.publish("malware=urls.txt", "--lifetime", "365d");
    expect(renewed.stdout).toMatch(/signed again as version 5, 3 entries/);
    expect((await operator.publish("malware=urls.txt")).stderr).toMatch(/entries of version 3/);
  });

  test("can be undone by insisting, by another rollback, and by withdrawing", async () => {
    await rollback("1");
    const insisted = await operator.publish("malware=urls.txt", "--despite-rollback");
    expect(insisted.stdout).toMatch(/version 5, 6 entries: 3 added/);
    await rollback("2");
    expect((await rollback("5")).stdout).toMatch(/version 7, 6 entries.*, as in version 5/);
    expect((await operator.publish("malware=urls.txt")).stdout).toMatch(/unchanged at version 7/);
    await operator.run("withdraw", "malware");
    await rollback("7");
    expect((await operator.run("withdraw", "malware")).stdout).toMatch(/withdrawn, version 10/);
    expect((await rollback("8")).stdout).toMatch(/unchanged at version 10, 0 entries/);
  });

  test("a rollback to a version that was itself rolled back to holds off everything since", async () => {
    await rollback("1");
    operator.write("urls.txt", ...hosts(0, 9));
    await operator.publish("malware=urls.txt");
    await rollback("4");
    for (const entries of [hosts(0, 9), hosts(0, 5)]) {
      operator.write("urls.txt", ...entries);
      expect((await operator.publish("malware=urls.txt")).stderr).toMatch(
        /rolled back to version 1/,
      );
    }
  });

  test("needs what gc keeps, and says which versions there are", async () => {
    expect((await operator.run("gc", "--keep", "2", "--grace", "0s")).status).toBe(0);
    const { status, stderr } = await rollback("1");
    expect(status).toBe(2);
    expect(stderr).toBe(
      "urlhash-server: The store no longer has all of version 1 of malware, but it has versions 2, 3 (gc --keep)\n",
    );
    expect((await rollback("2")).stdout).toMatch(/version 4, 5 entries/);
    expect((await operator.run("gc", "--keep", "1", "--grace", "0s")).status).toBe(0);
    expect((await operator.run("show", "malware")).stdout).toMatch(/The signature is good/);
  });

  test("leaves exceptions out, and keeps the names that the version had", async () => {
    await operator.publish("malware=urls.txt", "--keep-names", "malware");
    operator.write("urls.txt", "http://h0.example/");
    await operator.publish("malware=urls.txt");
    await operator.run("except add", "good.example");
    const { stdout, stderr } = await rollback("4");
    expect(stdout).toMatch(/version 6, 5 entries: 4 added, 0 removed; host names are kept/);
    expect(stderr).toMatch(/malware: good\.example\/ was left out \(.*lists\.except:1\)/);
    expect((await operator.run("show", "malware")).stdout).toMatch(/holds host names: 5\./);
  });

  test.each([
    [["9"], /has no version 9 of list malware/],
    [["0"], /has no version 0 of list malware/],
    [["x"], /Expected a whole number/],
    [["1", "--key", "missing"], /The signing key missing does not exist/],
  ])("%j is refused", async (args, message) => {
    const { status, stdout, stderr } = await rollback(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(await operator.log("malware")).toHaveLength(3);
  });
});
