import { afterEach, beforeEach, expect, test } from "vitest";
import { pass, startAt } from "../support/another-time.ts";
import { newOperator, type Operator } from "../support/operator.ts";

const DAY = 24 * 60 * 60 * 1000;

let operator: Operator;
let setRight: () => void;
beforeEach(async () => {
  setRight = startAt(Date.UTC(2040, 0, 1));
  operator = await newOperator();
  operator.write(
    "urlhash-server.yaml",
    "lists:",
    "  malware:",
    "    sources: [malware.txt]",
    "    reason: malware",
    "    contact: abuse@lists.example",
    "  phishing:",
    "    sources: [phishing.txt]",
  );
});
afterEach(() => {
  setRight();
  operator.remove();
});

async function publish(malware: string, phishing: string): Promise<void> {
  operator.write("malware.txt", "a.example", malware);
  operator.write("phishing.txt", "a.example", phishing);
  expect((await operator.publish()).status).toBe(0);
  pass(DAY);
}

test("history says when a URL was on each list", async () => {
  await publish("b.example", "b.example");
  await publish("evil.example", "b.example");
  await publish("b.example", "b.example");
  expect(await operator.run("history", "https://www.evil.example/login")).toEqual({
    status: 0,
    stdout: `malware: malware; abuse@lists.example
malware: evil.example/ is not on the list
  added in version 2 of 2040-01-02T00:00:00Z
  removed in version 3 of 2040-01-03T00:00:00Z
phishing: https://www.evil.example/login was never on the list, in 1 version since 2040-01-01T00:00:00Z
`,
    stderr: "",
  });
  const { stdout } = await operator.run("history", "b.example", "--json");
  expect(JSON.parse(stdout)).toMatchObject([
    {
      list: "malware",
      expression: "b.example/",
      listed: true,
      changes: [
        { version: 1, issued: "2040-01-01T00:00:00Z", change: "added", certain: true },
        { version: 2, change: "removed" },
        { version: 3, change: "added" },
      ],
    },
    { list: "phishing", listed: true, changes: [{ version: 1, change: "added" }] },
  ]);
});

test("history needs a list, and a URL", async () => {
  const { status, stderr } = await operator.run("history", "b.example");
  expect(status).toBe(2);
  expect(stderr).toMatch(/has no lists yet/);
  expect(await operator.run("history", "http://")).toMatchObject({ status: 2, stdout: "" });
});
