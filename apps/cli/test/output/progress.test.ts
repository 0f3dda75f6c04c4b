import { Readable, Writable } from "node:stream";
import { expect, test, vi } from "vitest";
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
  await expect
    .poll(() => {
      progress.advance({ bytes: 0, out: "", errors: "" });
      return stderr.text();
    })
    .toMatch(/^\r\x1b\[K\x1b\[\?7l25% of 2\.0 MB, \d+ s left/);
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

test("a line is shown only for work that takes half a second", () => {
  const [stdout, stderr] = [terminal(), terminal()];
  const io = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream, env: {} };
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  try {
    const [progress, rows] = [startProgress(100, io), startRowProgress(io)];
    const advance = () => progress.advance({ bytes: 25, out: "", errors: "" });
    now.mockReturnValue(499);
    advance();
    rows.reach(1, 4);
    expect(stderr.text()).toBe("");
    now.mockReturnValue(500);
    advance();
    expect(stderr.text()).toContain("50% of 0.0 MB");
    rows.reach(1, 4);
    expect(stderr.text()).toContain("25% of 4 rows");
  } finally {
    now.mockRestore();
  }
});

test("a line for rows starts when their number is known, and follows it", async () => {
  const [stdout, stderr] = [terminal(), terminal()];
  const io = { stdin: Readable.from([]), stdout: stdout.stream, stderr: stderr.stream, env: {} };
  const progress = startRowProgress(io);
  progress.reach(0, 0);
  progress.advance({ bytes: 0, out: "x", errors: "" });
  expect(stderr.text()).toBe("");
  await expect
    .poll(() => {
      progress.reach(1000, 4000);
      return stderr.text();
    })
    .toMatch(/25% of 4,000 rows, [\d,]+ per second, \d+ s left/);
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
