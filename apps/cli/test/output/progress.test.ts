import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { startProgress, startRowProgress } from "../../src/output/progress.ts";

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

test("the line shows the speed once something was counted, and the time left", async () => {
  const [stdout, stderr] = [terminal(), terminal()];
  const io = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream, env: {} };
  const progress = startProgress(2e6, io);
  progress.advance({ bytes: 5e5, out: "", errors: "" });
  await expect.poll(stderr.text).toMatch(/25% of 2\.0 MB, \d+ s left/);
  progress.advance({ bytes: 5e5, inputs: 5000, out: "", errors: "" });
  await expect
    .poll(() => {
      progress.advance({ bytes: 0, out: "", errors: "" });
      return stderr.text();
    })
    .toMatch(/50% of 2\.0 MB, [\d,]+ per second, \d+ s left/);
  // The line makes room for output to the terminal.
  progress.advance({ bytes: 0, out: "x", errors: "" });
  expect(stderr.text().endsWith("\r\x1b[K")).toBe(true);
  progress.stop();
  expect(stdout.text()).toBe("");
});

test("a line for rows starts when their number is known, and follows it", async () => {
  const [stdout, stderr] = [terminal(), terminal()];
  const io = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream, env: {} };
  const progress = startRowProgress(io);
  progress.reach(0, 0);
  progress.advance({ bytes: 0, out: "x", errors: "" });
  expect(stderr.text()).toBe("");
  progress.reach(1000, 4000);
  await expect.poll(stderr.text).toMatch(/25% of 4,000 rows, [\d,]+ per second, \d+ s left/);
  await expect
    .poll(() => {
      progress.reach(1, 1);
      return stderr.text();
    })
    .toMatch(/100% of 1 row, /);
  progress.stop();
  progress.stop();
  expect(stderr.text().endsWith("\r\x1b[K")).toBe(true);
});
