export { escapeBytes, unescapeRepeatedly } from "./steps/percent-escapes.ts";
export { fromCodes } from "./utf8.ts";
