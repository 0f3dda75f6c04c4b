import { readdirSync } from "node:fs";
import { mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import base from "./checks/support/vitest-config.ts";

/** Tests cannot reach all code, for example a guard for big-endian machines. */
const THRESHOLDS = { lines: 99, functions: 99, branches: 95 };

const LOWER_THRESHOLDS: Record<string, typeof THRESHOLDS> = {
  // The storage of browsers is tested in browsers, in `checks/clients`.
  client: { lines: 97, functions: 95, branches: 91 },
  // The handling of signals is tested through the commands, because a signal ends the process.
  "command-line": { lines: 97, functions: 93, branches: 93 },
  // Some code that only publishers need is tested through the command in `apps/server`.
  "list-store": { lines: 95, functions: 94, branches: 93 },
};

/**
 * Runs the tests of all packages at once: what they share is loaded once, which saves half of the time.
 */
const config: ViteUserConfigFnObject = (env) =>
  mergeConfig(base(env), {
    test: {
      include: ["packages/*/test/**/*.test.ts"],
      coverage: {
        provider: "v8",
        include: ["packages/*/src/**/*.ts"],
        exclude: ["**/*.generated.ts", "packages/client/src/browser/**"],
        reporter: ["text-summary"],
        thresholds: Object.fromEntries(
          readdirSync("packages").map((name) => [
            `packages/${name}/src/**`,
            LOWER_THRESHOLDS[name] ?? THRESHOLDS,
          ]),
        ),
      },
    },
  });

export default config;
