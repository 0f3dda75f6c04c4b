import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@x/client";
import { directoryStorage } from "@x/client/node";
import { expect, test, vi } from "vitest";

test.each([{}, "follow"] as const)(
  "a client that was started does not keep a process running, with updates: %j",
  async (updates) => {
    const directory = mkdtempSync(join(tmpdir(), "client-"));
    const client = createClient({
      protocol: "v5",
      server: "https://lists.example",
      lists: ["mw-4b"],
      storage: directoryStorage(directory),
      updates,
    });
    const made = vi.spyOn(globalThis, "setTimeout");
    client.start();
    const timers = made.mock.results.map(({ value }) => value as NodeJS.Timeout);
    made.mockRestore();
    expect(timers).not.toEqual([]);
    expect(timers.filter((timer) => timer.hasRef())).toEqual([]);
    await client.stop();
    rmSync(directory, { recursive: true });
  },
);
