import { decodePunycode } from "@x/canon/punycode";
import { lookAlikesIn } from "./look-alikes.ts";

const PUNYCODE = "xn--";
/** Labels in one script, or with common Latin letters that differ clearly from ASCII. */
const PLAIN_LABEL =
  /^(?:[a-z\d-]|[ßàâäåæçèéêëñòôöøùûüÿœ])+$|^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー\d-]+$|^(?:[\p{sc=Arab}\d-]+|[\p{sc=Hebr}\d-]+|[\p{sc=Thai}\d-]+|[\p{sc=Hang}\d-]+|[\p{sc=Deva}\d-]+|[\p{sc=Geor}\d-]+|[\p{sc=Cyrl}\d-]+|[\p{sc=Grek}\d-]+)$/u;

/**
 * A canonical host in its own letters; `null` for a host in ASCII, and if people could mistake its letters for others.
 *
 * @example
 * ```ts
 * import { unicodeHost } from "@x/explain";
 *
 * unicodeHost("xn--mnchen-3ya.example"); // → "münchen.example"
 * unicodeHost("xn--pple-43d.com"); // → null
 * ```
 */
export function unicodeHost(host: string): string | null {
  if (!host.includes(PUNYCODE) || lookAlikesIn(host) !== null) return null;
  const labels = host.split(".").map((label) => {
    return label.startsWith(PUNYCODE) ? decodePunycode(label.slice(PUNYCODE.length)) : label;
  });
  return labels.every((label) => label !== null && PLAIN_LABEL.test(label))
    ? labels.join(".")
    : null;
}
