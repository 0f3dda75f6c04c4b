export { default } from "../../checks/support/vitest.ts";
