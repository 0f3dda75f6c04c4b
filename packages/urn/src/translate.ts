import { PERCENT, SLASH } from "./ascii.ts";
import { isClass, PCHAR, PLAIN_TRANS } from "./character-classes.ts";
import { UrnError } from "./error.ts";
import { readNss } from "./grammar.ts";
import { readingError } from "./problem.ts";
import { assertString, chosenSyntax, type UrnSyntaxOptions } from "./syntax.ts";
import { escapeCodePoint, escapedCodePoint, utf8Length } from "./utf8.ts";

/** What `encodeNss` can be told. */
export interface EncodeNssOptions extends UrnSyntaxOptions {
  /**
   * The characters to which the namespace gives a special meaning: they are encoded, since a raw name
   * uses them literally. `":"` for a namespace that separates fields with colons. None by default.
   */
  readonly special?: string | undefined;
}

/**
 * The NSS that stands for a name of another naming system: characters that a URN may not hold become the
 * escapes, in upper case, of their UTF-8 octets.
 *
 * The name is raw: a `%` in it is a percent sign and becomes `%25`. `/`, `?` and `#` are encoded, but
 * under `"rfc8141"` a `/` that is not the first character stays. Names are not normalized (NFC, case):
 * that is the namespace's business.
 *
 * @throws {UrnError} `name-empty`, `name-lone-surrogate`, and under `"rfc2141"` `name-null`.
 * @throws {TypeError} when the name or `special` is not a string.
 * @example
 * ```ts
 * import { encodeNss } from "@x/urn";
 *
 * encodeNss("Zürich 100%"); // → "Z%C3%BCrich%20100%25"
 * encodeNss("a:b", { special: ":" }); // → "a%3Ab"
 * ```
 * @see RFC 2141 §2.2 and §2.3, RFC 8141 §2.2
 */
export function encodeNss(name: string, options?: EncodeNssOptions): string {
  assertString(name, "name");
  const special = options?.special ?? "";
  assertString(special, "special");
  const syntax = chosenSyntax(options);
  if (name === "") throw new UrnError("name-empty", name, 0, syntax);
  const isKept = (unit: number, at: number) =>
    unit === SLASH
      ? syntax === "rfc8141" && at > 0
      : isClass(unit, syntax === "rfc2141" ? PLAIN_TRANS : PCHAR);
  let nss = "";
  let copied = 0;
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    if (isKept(unit, i) && !special.includes(name.charAt(i))) continue;
    const codePoint = name.codePointAt(i)!;
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) {
      throw new UrnError("name-lone-surrogate", name, i, syntax);
    }
    if (codePoint === 0 && syntax === "rfc2141") throw new UrnError("name-null", name, i, syntax);
    nss += name.slice(copied, i) + escapeCodePoint(codePoint);
    if (codePoint > 0xffff) i++;
    copied = i + 1;
  }
  return nss + name.slice(copied);
}

/**
 * The name that an NSS stands for: each escape decoded, once, as UTF-8. The inverse of `encodeNss`.
 *
 * The name is for the other naming system, not for comparing: different NSSs may have the same name
 * (`a%2Cb` and `a,b`), and where the namespace gives a character a special meaning, the name no longer
 * shows whether it was literal.
 *
 * @throws {UrnError} `octets-not-utf8`, and the codes of `parseUrn` that speak of the NSS and of escapes
 * when the text is not an NSS.
 * @throws {TypeError} when the NSS is not a string.
 * @example
 * ```ts
 * import { decodeNss } from "@x/urn";
 *
 * decodeNss("Z%C3%BCrich%20100%25"); // → "Zürich 100%"
 * decodeNss("%2541"); // → "%41"
 * decodeNss("%FF"); // throws octets-not-utf8
 * ```
 * @see RFC 2141 §2.2, RFC 8141 §2.2
 */
export function decodeNss(nss: string, options?: UrnSyntaxOptions): string {
  assertString(nss, "nss");
  const syntax = chosenSyntax(options);
  const reading = readNss(nss, syntax);
  if (reading.end !== nss.length) {
    throw readingError(nss, reading, syntax);
  }
  let name = "";
  let copied = 0;
  let at = nss.indexOf("%");
  while (at !== -1) {
    const codePoint = escapedCodePoint(nss, at);
    if (codePoint === -1) throw new UrnError("octets-not-utf8", nss, at, syntax);
    name += nss.slice(copied, at) + String.fromCodePoint(codePoint);
    copied = at + 3 * utf8Length(codePoint);
    at = nss.charCodeAt(copied) === PERCENT ? copied : nss.indexOf("%", copied);
  }
  return name + nss.slice(copied);
}
