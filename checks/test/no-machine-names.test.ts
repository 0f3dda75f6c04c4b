import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, trackedFiles } from "./repository.ts";

test("no file names a machine or a registry", () => {
  const suspicious = /\/(?:home|root|Users|work)\/|registry\.[a-z]+|_authToken/;
  for (const file of trackedFiles()) {
    if (/\.(?:png|ico|yaml)$/.test(file) || file === "checks/test/no-machine-names.test.ts")
      continue;
    expect(suspicious.exec(readFileSync(join(ROOT, file), "utf8"))?.[0], file).toBeUndefined();
  }
});
