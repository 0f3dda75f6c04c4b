import { defaultServerConditions } from "vite";
import { defineConfig, type ViteUserConfig } from "vitest/config";

/**
 * What every package's `vitest.config.ts` starts from: packages are read from their sources, through
 * the `@x/source` condition, so that tests need no build.
 */
const config: ViteUserConfig = defineConfig({
  ssr: { resolve: { conditions: ["@x/source", ...defaultServerConditions] } },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/**/*.generated.ts"],
      reporter: ["text-summary"],
      // What is not covered is what cannot be reached here, such as the big-endian machine of a guard.
      thresholds: { lines: 99, functions: 99, branches: 95 },
    },
  },
});

export default config;
