import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runHere, runHereIn } from "../support/command-in-process.ts";
import { hosts, newOperator, type Operator } from "../support/operator.ts";

/* The progress that a terminal shows during a long command. */

const ERASE = "\r\x1b[K";

let operator: Operator;
beforeEach(async () => {
  operator = await newOperator();
  operator.write("urls.txt", ...hosts(0, 3));
});
afterEach(() => operator.remove());

const PUBLISH = ["publish", "--store", "lists", "malware=urls.txt"];
const COPY = ["copy", "--from", "lists", "--to", "copy"];
const inTerminal = (...args: string[]) => runHereIn({ terminal: 80 }, operator.path, ...args);

/** Returns the texts that the terminal showed on the progress line, one after the other. */
function linesIn(stderr: string): string[] {
  return stderr.split(ERASE).flatMap((shown) => {
    if (shown === "") return [];
    expect(shown.startsWith("\x1b[?7l")).toBe(true);
    expect(shown.endsWith("\x1b[?7h")).toBe(true);
    return [shown.slice("\x1b[?7l".length, -"\x1b[?7h".length)];
  });
}

describe("in a terminal", () => {
  test("publish says what it does, on a line that is erased at the end", async () => {
    // A source that is longer than a single read.
    operator.write("urls.txt", ...hosts(0, 5000));
    const { status, stdout, stderr } = await inTerminal(...PUBLISH);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^malware: version 1, 5,000 entries: /);
    const [read, ...others] = linesIn(stderr);
    expect(read).toMatch(
      /^malware: reading urls\.txt, [1-9]\d%, \d,\d{3} entries so far, \d+ s left$/,
    );
    for (const step of ["malware: sorting", "malware: comparing", "malware: writing 1 object"]) {
      expect(others).toContain(step);
    }
    expect(stderr.endsWith(ERASE)).toBe(true);
  });

  test("the line makes room for complaints", async () => {
    operator.write("urls.txt", ...hosts(0, 3), "not a URL");
    const { status, stderr } = await inTerminal(...PUBLISH);
    expect(status).toBe(1);
    expect(stderr).toContain(
      `malware: reading urls.txt, 100%\x1b[?7h${ERASE}urlhash-server: urls.txt:4: `,
    );
    expect(stderr.endsWith("urlhash-server: Nothing was published.\n")).toBe(true);
  });

  test("the name of a source cannot write control characters", async () => {
    writeFileSync(join(operator.path, "\x1b[31m.txt"), "http://evil.example/\n");
    const { stderr } = await inTerminal("publish", "--store", "lists", "malware=\x1b[31m.txt");
    expect(linesIn(stderr).join()).not.toContain("\x1b");
  });

  test("copy says what it copies, on a line that is erased at the end", async () => {
    await runHere(operator.path, ...PUBLISH);
    const { status, stderr } = await inTerminal(...COPY);
    expect(status).toBe(0);
    expect(linesIn(stderr)[0]).toBe("malware: copying version 1 of 1; 0 objects, 0 bytes so far");
    expect(stderr.endsWith(ERASE)).toBe(true);
  });
});

test("no progress without a terminal, or in one that cannot erase", async () => {
  for (const command of [PUBLISH, COPY]) {
    expect((await runHere(operator.path, ...command)).stderr).toBe("");
    operator.write("urls.txt", ...hosts(0, 4));
    const dumb = { terminal: 80, env: { TERM: "dumb" } };
    expect((await runHereIn(dumb, operator.path, ...command)).stderr).toBe("");
  }
});
