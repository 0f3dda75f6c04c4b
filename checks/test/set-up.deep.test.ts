import { cpSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { firstOf } from "@x/test-support/sample-size";
import { runProgram } from "@x/test-support/spawn";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { ROOT } from "./repository.ts";

const folder = temporaryFolder();

/** A clone in which nothing is installed, with only the files that the installation reads. */
function clone(name: string): string {
  const path = folder.path(name);
  for (const part of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "checks/set-up"]) {
    cpSync(join(ROOT, part), join(path, part), { recursive: true });
  }
  return path;
}

/** Installs with an empty home folder, so that pnpm has no cache. */
function install(path: string, env: Record<string, string>) {
  const home = join(path, "home");
  mkdirSync(home);
  return runProgram(join(path, "checks/set-up/install.js"), [], {
    env: { HOME: home, USERPROFILE: home, ...env },
  });
}

const FIRST_LINE = "This folder is set up first, which takes one to two minutes.";

/** A registry that accepts connections but never answers, or one that no longer listens. */
async function registry(isListening: boolean) {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  if (!isListening) close();
  return { url: `http://127.0.0.1:${port}/`, close };
}

describe("installing without a registry ends with one sentence", () => {
  test.each(
    firstOf(1, [
      ["cannot be reached (ECONNREFUSED)", false],
      ["does not answer", true],
    ] as const),
  )("%s", async (reason, isListening) => {
    const { url, close } = await registry(isListening);
    try {
      const env = { npm_config_registry: url };
      const { status, stdout, stderr } = await install(clone(reason), env);
      expect([status, stdout]).toEqual([1, ""]);
      const lines = stderr.split("\n").filter((line) => !/^Installing .* …$/.test(line));
      expect(lines).toEqual([FIRST_LINE, `The npm registry ${url} ${reason}.`, ""]);
    } finally {
      close();
    }
  });
});

test("installs nothing, and says nothing, when the lockfile is the one that was installed", async () => {
  const path = clone("installed");
  cpSync(join(ROOT, "pnpm-lock.yaml"), join(path, "node_modules/.pnpm/lock.yaml"));
  expect(await install(path, {})).toEqual({ status: 0, stdout: "", stderr: "" });
});
