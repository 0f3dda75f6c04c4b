import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { startThreads } from "../../src/check/threads.ts";

test("a thread that ended before it was asked fails the check", async () => {
  // The thread fails to start, because there is no built worker file beside the sources.
  const started = once(process, "worker") as Promise<[Worker]>;
  const { evaluatePart, end } = startThreads(1, {
    lists: [],
    safeLists: [],
    format: "text",

    onlyListed: false,
    refang: false,
    colour: false,
    unwrap: true,
  });
  const [worker] = await started;
  await new Promise((resolve) => worker.once("exit", resolve));
  const block = evaluatePart({ place: { line: 1 }, text: "http://a.example/" }, 0);
  await expect(block).rejects.toThrow(/^cannot check: /);
  await end();
});
