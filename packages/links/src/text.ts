export { findInText } from "./text/scan-text.ts";
