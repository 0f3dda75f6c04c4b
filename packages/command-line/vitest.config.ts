import { mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import base from "../../checks/support/vitest-config.ts";

/** The handling of signals is tested through the commands, because a signal ends the process. */
const config: ViteUserConfigFnObject = (env) =>
  mergeConfig(base(env), {
    test: { coverage: { thresholds: { lines: 97, functions: 93, branches: 93 } } },
  });

export default config;
