import { defaultServerConditions } from "vite";
import { configDefaults, defineConfig, type ViteUserConfigFnObject } from "vitest/config";

/**
 * The base of every `vitest.config.ts`. Tests need no build, because they read packages from their sources, through the
 * `@x/source` condition. `--mode deep` runs every test, with more generated inputs; other runs leave out the slow ones,
 * which are in `*.deep.test.ts` or have the tag `deep`.
 */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => {
  const isDeep = mode === "deep";
  return {
    ssr: { resolve: { conditions: ["@x/source", ...defaultServerConditions] } },
    test: {
      include: ["test/**/*.test.ts"],
      exclude: [...configDefaults.exclude, ...(isDeep ? [] : ["**/*.deep.test.ts"])],
      tags: [{ name: "deep", description: "slow: only the deep run includes it" }],
      ...(isDeep ? {} : { tagsFilter: ["!deep"] }),
      // The files of a run share a process, which saves almost half of the time.
      isolate: false,
      // Timeouts only end tests that hang, and are long because busy machines are slow.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 120_000 } },
      env: { DEEP: isDeep ? "1" : "" },
    },
  };
});

export default config;
