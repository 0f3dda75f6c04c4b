import { statfsSync } from "node:fs";
import { mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import base from "../../checks/support/vitest-config.ts";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 ** 31;

/** Whether temporary files can be in memory. Stores sync every file to the disk, which is slow. */
function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}

const config: ViteUserConfigFnObject = (env) =>
  mergeConfig(base(env), hasMemory() ? { test: { env: { TMPDIR: MEMORY } } } : {});

export default config;
