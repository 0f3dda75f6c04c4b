import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { startProgress } from "../../src/output/progress.ts";

function terminal(): { stream: Writable & { isTTY: boolean }; text: () => string } {
  let text = "";
  const stream = new Writable({
    write(piece, _, done) {
      text += piece;
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: true, columns: 100 }), text: () => text };
}

test("the bar shows the speed once something was counted, and the time left", async () => {
  const [stdout, stderr] = [terminal(), terminal()];
  const io = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream, env: {} };
  const progress = await startProgress(2e6, io);
  progress.advance({ bytes: 5e5, out: "", errors: "" });
  await expect.poll(stderr.text).toMatch(/25 % of 2\.0 MB, \S+ left/);
  progress.advance({ bytes: 5e5, inputs: 5000, out: "", errors: "" });
  await expect.poll(stderr.text).toMatch(/50 % of 2\.0 MB, [\d,]+ per second, \S+ left/);
  progress.stop();
  expect(stdout.text()).toBe("");
});
