import { afterEach, beforeEach, expect, test } from "vitest";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
});
afterEach(() => operator.remove());

/** Whether a version of the list says that all entries are for whole hosts. */
function isMarked(version: number): boolean {
  const note = operator.read(`lists/lists/malware/v/${String(version).padStart(12, "0")}`);
  return JSON.parse(note.split("\n")[1]!).onlyHosts === true;
}

test("a list of whole hosts says so, until an entry for a page is reported", async () => {
  operator.write("urls.txt", ...hosts(0, 5), "||evil.example^", "192.0.2.1");
  expect(await operator.publish("malware=urls.txt")).toMatchObject({ status: 0, stderr: "" });
  expect(isMarked(1)).toBe(true);

  operator.write("urls.txt", ...hosts(0, 6), "http://site.example/page");
  const { status, stderr } = await operator.publish("malware=urls.txt");
  expect(status).toBe(0);
  expect(stderr).toContain(
    'malware: "http://site.example/page" is not for a whole host, so checks of URLs take longer than before',
  );
  expect(isMarked(2)).toBe(false);

  operator.write("urls.txt", ...hosts(0, 7), "http://site.example/page");
  expect((await operator.publish("malware=urls.txt")).stderr).toBe("");
  operator.write("urls.txt", ...hosts(0, 7));
  expect((await operator.publish("malware=urls.txt")).status).toBe(0);
  expect([isMarked(3), isMarked(4)]).toEqual([false, true]);
});

test("nobody knows whether hashes are those of whole hosts", async () => {
  operator.write("hashes.txt", "ab".repeat(32));
  expect((await operator.publish("malware=hashes.txt", "--input", "hex")).status).toBe(0);
  expect(isMarked(1)).toBe(false);
});
