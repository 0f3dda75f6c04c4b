import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../bench/month.js", import.meta.url));

// The benchmark reads the memory of processes from /proc.
test.runIf(process.platform === "linux")(
  "for a minute of a month in fast motion, every change reaches the client, and nothing else goes wrong",
  { timeout: 600_000 },
  () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, "1", "100000"], {
      encoding: "utf8",
    });
    expect({ status, stderr, stdout: status === 0 ? "" : stdout }).toEqual({
      ...{ status: 0, stderr: "", stdout: "" },
    });
    expect(stdout).toMatch(/^1 minute, \d+ look-ups, 0 errors$/m);
    expect(stdout.match(/^\| \w+ +\| +\d+ \| +[1-9]\d* \|/gm)).toHaveLength(12);
  },
);
