export { default } from "./support/vitest-config.ts";
