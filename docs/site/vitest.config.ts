import { mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import base from "../../checks/support/vitest-config.ts";

const config: ViteUserConfigFnObject = (env) =>
  mergeConfig(base(env), { test: { globalSetup: "../../apps/demo/test/browser/unpack.ts" } });

export default config;
