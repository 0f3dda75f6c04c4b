export { default } from "../../checks/support/vitest-config.ts";
