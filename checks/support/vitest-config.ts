import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultServerConditions } from "vite";
import { configDefaults, defineConfig, type ViteUserConfigFnObject } from "vitest/config";

/**
 * The base of every package's `vitest.config.ts`. Tests need no build, because they read packages from their sources,
 * through the `@x/source` condition. `--mode deep` tries more generated inputs. `--mode deeper` runs only the tests that
 * do more then, and not again those that are the same in `npm test`; it must be started in the package's folder.
 */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => ({
  ssr: { resolve: { conditions: ["@x/source", ...defaultServerConditions] } },
  test: {
    include: mode === "deeper" ? deeperTests() : ["test/**/*.test.ts"],
    // Only the deep run includes the slow tests, which are more thorough than the others.
    exclude: [...configDefaults.exclude, ...(isDeep(mode) ? [] : ["**/*.deep.test.ts"])],
    // The files of a package run one after the other in one process, which saves almost half of the time.
    isolate: false,
    // Timeouts only end tests that hang, and are long because busy machines are slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    env: { DEEP: isDeep(mode) ? "1" : "" },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.generated.ts"],
      reporter: ["text-summary"],
      // Tests cannot reach all code, for example a guard for big-endian machines.
      thresholds: { lines: 99, functions: 99, branches: 95 },
    },
  },
}));

export default config;

function isDeep(mode: string): boolean {
  return mode === "deep" || mode === "deeper";
}

/** The slow tests of the package in this folder, and those whose numbers of inputs depend on the run. */
function deeperTests(): string[] {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join("test", file))
    .filter(
      (file) =>
        file.endsWith(".deep.test.ts") || readFileSync(file, "utf8").includes("sample-size"),
    );
}
