import { mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import base from "../../checks/support/vitest-config.ts";

/** The storage of browsers is tested in browsers, in `checks/clients`. */
const config: ViteUserConfigFnObject = (env) =>
  mergeConfig(base(env), {
    test: {
      coverage: {
        exclude: ["src/browser/**"],
        thresholds: { lines: 97, functions: 95, branches: 91 },
      },
    },
  });

export default config;
