import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../support/command.ts";
import { runHere } from "../support/command-in-process.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await runHere(folder.path, "init", "--store", "lists");
});
afterEach(() => folder.remove());

const publish = (...args: string[]) =>
  runHere(folder.path, "publish", "--store", "lists", "malware=urls.txt", ...args);

test("publish refuses an entry for which browsers open another host", async () => {
  const others = Array.from({ length: 10 }, (_, i) => `http://${i}.example/`);
  const lines = ["http://good.example%2F@evil.example/../", "http://0.example/a/%2e%2e%2f"];
  writeFileSync(join(folder.path, "urls.txt"), [...lines, ...others, ""].join("\n"));
  expect(await publish()).toMatchObject({ status: 1, stdout: "" });
  const { stdout, stderr } = await publish("--set", "skip-bad=true");
  expect(stdout).toMatch(/^malware: version 1, 10 entries/m);
  expect(stderr).toContain("(browsers open evil.example/, the specification reads good.example/)");
  expect(stderr).toContain(
    'urls.txt:2: warning: 0.example/ is shorter than the URL in the source, because ".." removes a folder: ' +
      '"http://0.example/a/%2e%2e%2f"',
  );
});

/** A browser may drop U+2065 in the future, and would then open another host. */
test.each(["http://ev\u2065il.example/", "ev%E2%81%A5il.example"])(
  "publish refuses an entry whose host cannot be decided: %j",
  async (entry) => {
    const others = Array.from({ length: 10 }, (_, i) => `http://${i}.example/`);
    writeFileSync(join(folder.path, "urls.txt"), [entry, ...others, ""].join("\n"));
    const refused = await publish();
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /urls\.txt:1: .*il\.example.* was refused: expected a host without/,
    );
    expect((await publish("--set", "skip-bad=true")).stdout).toMatch(
      /^malware: version 1, 10 entries: 10 added, 0 removed$/m,
    );
  },
);
