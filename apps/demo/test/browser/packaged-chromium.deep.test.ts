import { execFileSync } from "node:child_process";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { afterEach, expect, test, vi } from "vitest";
import { packagedChromium } from "./packaged-chromium.js";
import { HAS_PACKAGED_CHROMIUM } from "./unpack.ts";

const folder = temporaryFolder();
afterEach(() => vi.unstubAllEnvs());

test.skipIf(!HAS_PACKAGED_CHROMIUM)(
  "a file that somebody put into the folder for temporary files is not run",
  async () => {
    folder.write("chromium", "#!/bin/sh\necho somebody else\n");
    vi.stubEnv("TMPDIR", folder.path("."));
    const paths = await Promise.all([packagedChromium(), packagedChromium()]);
    expect(new Set(paths).size).toBe(1);
    expect(paths[0]).not.toContain(folder.path("."));
    expect(execFileSync(paths[0], ["--version"], { encoding: "utf8" })).toMatch(/Chrom/);
  },
);
