export { fromCodes } from "./byte-string.ts";
export { escapeBytes, unescapeRepeatedly } from "./steps/percent-escapes.ts";
