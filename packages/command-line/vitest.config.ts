import { mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import base from "../../checks/support/vitest.ts";

/** What happens on signals is tested through the commands, because it ends the process. */
const config: ViteUserConfigFnObject = (env) =>
  mergeConfig(base(env), {
    test: { coverage: { thresholds: { lines: 97, functions: 93, branches: 93 } } },
  });

export default config;
