import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { checkInThreads } from "../../src/bulk/check-in-threads.ts";
import { PLAIN_ROWS } from "../../src/output/rows.ts";

test("a thread that ended before it was asked fails the check", async () => {
  // The sources have no file that a thread could run.
  const started = once(process, "worker") as Promise<[Worker]>;
  async function* questions() {
    const [worker] = await started;
    await new Promise((resolve) => worker.once("exit", resolve));
    yield { part: { place: { line: 1 }, text: "http://a.example/" }, bytes: 0 };
  }
  const options = {
    lists: [],
    safeLists: [],
    readings: "both",
    format: "text",
    rows: PLAIN_ROWS,
    onlyListed: false,
    refang: false,
    colour: false,
  } as const;
  const checked = checkInThreads(questions(), 1, options);
  await expect(checked.next()).rejects.toThrow(/^cannot check: /);
});
