import { mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import base from "../../checks/support/vitest.ts";

/** Some branches are for input that only browsers are compared on, in `checks/clients`. */
const config: ViteUserConfigFnObject = (env) =>
  mergeConfig(base(env), {
    test: { coverage: { thresholds: { lines: 98, functions: 98, branches: 93 } } },
  });

export default config;
