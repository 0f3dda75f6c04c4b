import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultServerConditions } from "vite";
import { configDefaults, defineConfig, type ViteUserConfigFnObject } from "vitest/config";

const ROOT = join(import.meta.dirname, "../..");

/** The folders of the repository that have tests. */
const TESTED = [
  ...["packages", "apps"].flatMap((above) =>
    readdirSync(join(ROOT, above)).map((name) => join(above, name)),
  ),
  "checks",
  "docs/site",
].map((folder) => join(ROOT, folder, "test"));

/**
 * The test files in which the deep run would do the same as `npm test`: nothing in them is slow or has a sample size.
 */
function sameInDeepRun(): string[] {
  return TESTED.filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith(".test.ts") && !file.endsWith(".deep.test.ts"))
    .filter((file) => !/"deep"|\/sample-size"/.test(readFileSync(file, "utf8")));
}

/**
 * The base of every `vitest.config.ts`. Tests need no build, because they read packages from their sources, through the
 * `@x/source` condition.
 *
 * - `npm test` leaves out the slow tests, which are in `*.deep.test.ts` or have the tag `deep`.
 * - `--mode deep` runs the slow tests, and those with sample sizes on more inputs. It leaves out the files that have
 *   neither, because `npm test` runs them.
 * - `--mode all` runs every test, with more inputs.
 */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => {
  const isDeep = mode === "deep" || mode === "all";
  const leftOut = mode === "deep" ? sameInDeepRun() : isDeep ? [] : ["**/*.deep.test.ts"];
  return {
    ssr: { resolve: { conditions: ["@x/source", ...defaultServerConditions] } },
    test: {
      include: ["test/**/*.test.ts"],
      exclude: [...configDefaults.exclude, ...leftOut],
      tags: [{ name: "deep", description: "slow: `npm test` leaves it out" }],
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
