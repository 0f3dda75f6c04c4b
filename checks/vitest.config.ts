export { default } from "./support/vitest.ts";
