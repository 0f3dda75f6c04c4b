import { mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import base from "../../checks/support/vitest-config.ts";

/** Some code that only publishers need is tested through the command in `apps/server`. */
const config: ViteUserConfigFnObject = (env) =>
  mergeConfig(base(env), {
    test: { coverage: { thresholds: { lines: 95, functions: 94, branches: 93 } } },
  });

export default config;
