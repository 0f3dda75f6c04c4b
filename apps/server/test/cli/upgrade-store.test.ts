import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { signerOf } from "@x/list-store";
import { afterEach, beforeEach, expect, test } from "vitest";
import old from "../../../../packages/list-store/test/vectors/store-of-format-2.json" with {
  type: "json",
};
import { hosts, newOperator, type Operator } from "../support/operator.ts";

const [firstKey, nextKey] = old.signingKeys as [string, string];
const publicKeys = await Promise.all(
  old.signingKeys.map(async (key) => (await signerOf(key)).publicKey),
);

/**
 * The folder has a store of version 0.2. The newest version of the list malware names both keys, the others the first.
 */
let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
  operator.write("lists.pub", ...publicKeys);
  for (const [key, file] of Object.entries(old.files)) {
    const path = join(operator.path, "lists", key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.from(file, "base64"));
  }
});
afterEach(() => operator.remove());

/** The lists expired long ago, and an upgrade does not change that. */
const EXPIRED = ", but it expired at 2026";
const withoutTimes = (text: string) => text.replaceAll(/(?<= 2026)-\S+/g, "");

test("upgrade-store continues all lists that the key may sign", async () => {
  operator.write("lists.key", nextKey);
  const { status, stdout, stderr } = await operator.run("upgrade-store");
  expect({ status, stdout: withoutTimes(stdout) }).toEqual({
    status: 2,
    stdout: `malware: version 5 continues the list in the new format${EXPIRED}\n`,
  });
  expect(stderr).toMatch(/short: Version 3 of short does not name this signing key/);
  expect(stderr).toMatch(/retired: Version 2 of retired does not name this signing key/);

  operator.write("lists.key", firstKey);
  const second = await operator.run("upgrade-store");
  expect({ status: second.status, stdout: withoutTimes(second.stdout) }).toEqual({
    status: 0,
    stdout: [
      "retired: version 3 continues the list in the new format",
      `short: version 4 continues the list in the new format${EXPIRED}`,
      `withdrawn: version 3 continues the list in the new format${EXPIRED}`,
      "",
    ].join("\n"),
  });
  expect(await operator.run("upgrade-store")).toMatchObject({ status: 0, stdout: "" });
  expect((await operator.run("show", "retired")).stdout).toMatch(/"retired": true/);
  expect((await operator.run("show", "short")).stdout).toMatch(/"restores": 1,/);
  expect((await operator.run("gc", "--set", "keep.unused=0s")).status).toBe(0);
  expect((await operator.run("show", "malware")).stdout).toMatch(/The signature is good/);
});

test("the next publish upgrades the store, and then publishes", async () => {
  operator.write("lists.key", nextKey);
  operator.write("urls.txt", ...hosts(4, 705));
  expect((await operator.publish("malware=urls.txt", "--dry-run")).stderr).toMatch(
    /Version 4 of malware is in the older format/,
  );
  const { status, stdout, stderr } = await operator.publish("malware=urls.txt");
  expect(stderr).toMatch(/short: Version 3 of short does not name this signing key/);
  expect(stdout).toMatch(
    /^malware: version 5 continues .*\nmalware: version 6, 701 entries: 1 added, 0 removed/s,
  );
  expect(status).toBe(0);
  expect(await operator.log("malware")).toEqual(["700 signed again", "701 +1 -0"]);
});

test("a rollback of the old format is still a hold", async () => {
  operator.write("lists.key", firstKey);
  operator.write("urls.txt", ...hosts(0, 3), ...hosts(7, 9));
  const { stdout, stderr } = await operator.publish("short=urls.txt");
  expect(stdout).toMatch(/short: version 4 continues/);
  expect(stderr).toMatch(/rolled back to version 1/);
  expect(await operator.log("short")).toEqual(["3 signed again", "3 signed again"]);
});
