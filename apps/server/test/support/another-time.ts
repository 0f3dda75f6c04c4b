import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { vi } from "vitest";

/**
 * Sets the clock of this process and of its file systems, which stays where it is until a test moves it. Publishers
 * refuse to work when both differ. Returns a function that sets the right time again.
 */
export function startAt(now: number): () => void {
  vi.useFakeTimers({ toFake: ["Date"], now });
  const { stat } = files;
  files.stat = (async (path, options) =>
    Object.assign(await stat(path, options), { mtimeMs: Date.now() })) as typeof stat;
  syncBuiltinESMExports();
  return () => {
    files.stat = stat;
    syncBuiltinESMExports();
    vi.useRealTimers();
  };
}

/** Lets time pass. */
export function pass(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}
