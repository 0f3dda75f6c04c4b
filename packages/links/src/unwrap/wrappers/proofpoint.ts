import { decodeBase64, decodePercents } from "../decode.ts";

/** Decodes the parameter `u` of a version 2 URL. */
export function decodeProofpoint2(written: string): string {
  return decodePercents(written.replaceAll("-", "%").replaceAll("_", "/"));
}

const START = "/v3/__";
const LENGTHS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** The length that the first character of {@link LENGTHS} stands for. */
const SHORTEST = 2;

/**
 * Decodes everything after the host of a version 3 URL. In the URL inside, `*` stands for one replaced character, and
 * `**` for several, whose number the next character encodes. The replaced characters follow in base64url.
 *
 * If the end of the link was lost, the rest is decoded.
 */
export function decodeProofpoint3(rest: string): string {
  const end = rest.indexOf("__;", START.length);
  const written = end < 0 ? rest.slice(START.length) : rest.slice(START.length, end);
  const characters = end < 0 ? [] : [...(decodeBase64(rest.slice(end + 3)) ?? "")];
  let next = 0;
  return written.replace(/\*(?:\*([\w-]))?/g, (asterisks: string, length?: string) => {
    const count = length === undefined ? 1 : LENGTHS.indexOf(length) + SHORTEST;
    const replaced = characters.slice(next, next + count).join("");
    next += count;
    return replaced === "" ? asterisks : replaced;
  });
}
