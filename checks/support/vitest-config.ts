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
 * The two parts of the deep run, neither of which repeats what `npm test` does: the slow files and those with sample
 * sizes, and the slow tests of the other files.
 */
function deepRun() {
  const quick = TESTED.filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith(".test.ts") && !file.endsWith(".deep.test.ts"))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
  const isSampled = ({ text }: { text: string }) => text.includes('/sample-size"');
  const isTagged = (each: { text: string }) => !isSampled(each) && each.text.includes('"deep"');
  const allBut = (isWanted: typeof isSampled) =>
    quick.filter((each) => !isWanted(each)).map(({ file }) => file);
  const slow = { name: "deep", exclude: allBut(isSampled) };
  const tagged = { name: "tagged", exclude: ["**/*.deep.test.ts", ...allBut(isTagged)] };
  return [
    { extends: true as const, mode: "deep", test: slow },
    { extends: true as const, mode: "deep", test: { ...tagged, tagsFilter: ["deep"] } },
  ];
}

/**
 * The base of every `vitest.config.ts`. Tests need no build, because they read packages from their sources, through the
 * `@x/source` condition.
 *
 * - `npm test` leaves out the slow tests, which are in `*.deep.test.ts` or have the tag `deep`.
 * - `--mode deep` runs the slow tests, and the files with sample sizes on more inputs. It leaves out the other tests,
 *   because `npm test` runs them.
 * - `--mode all` runs every test, with more inputs.
 */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => {
  const isDeep = mode === "deep" || mode === "all";
  const leftOut = isDeep ? [] : ["**/*.deep.test.ts"];
  return {
    ssr: { resolve: { conditions: ["@x/source", ...defaultServerConditions] } },
    test: {
      include: ["test/**/*.test.ts"],
      exclude: [...configDefaults.exclude, ...leftOut],
      tags: [{ name: "deep", description: "slow: `npm test` leaves it out" }],
      ...(isDeep ? {} : { tagsFilter: ["!deep"] }),
      ...(mode === "deep" ? { projects: deepRun() } : {}),
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
