import { defaultServerConditions } from "vite";
import { configDefaults, defineConfig, type ViteUserConfigFnObject } from "vitest/config";

/**
 * The base of every package's `vitest.config.ts`. Tests need no build, because they read packages from their sources,
 * through the `@x/source` condition. `--mode deep` tries more generated inputs.
 */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => ({
  ssr: { resolve: { conditions: ["@x/source", ...defaultServerConditions] } },
  test: {
    include: ["test/**/*.test.ts"],
    // Only the deep run includes the slow tests, which are more thorough than the others.
    exclude: [...configDefaults.exclude, ...(mode === "deep" ? [] : ["**/*.deep.test.ts"])],
    // The files of a package run one after the other in one process, which saves almost half of the time.
    isolate: false,
    // Timeouts only end tests that hang, and are long because busy machines are slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    env: { DEEP: mode === "deep" ? "1" : "" },
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
