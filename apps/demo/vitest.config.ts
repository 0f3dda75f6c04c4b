import { defineConfig, mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import base from "../../checks/support/vitest-config.ts";

const config: ViteUserConfigFnObject = defineConfig((env) =>
  mergeConfig(base(env), { test: { globalSetup: "test/browser/unpack.ts" } }),
);

export default config;
