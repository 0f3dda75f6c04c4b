import {
  escapeCodePoint,
  escapedCodePoint,
  isClass,
  PCHAR,
  PERCENT,
  PLAIN_TRANS,
  SLASH,
  utf8Length,
} from "./characters.ts";
import { describeProblem, UrnError } from "./error.ts";
import { assertString, chosenSyntax, ownOption, type UrnSyntaxOptions } from "./options.ts";
import { notNssProblem, scanNss } from "./scan-urn.ts";

/** The options of `encodeNss`. */
export interface EncodeNssOptions extends UrnSyntaxOptions {
  /**
   * Characters with a special meaning in the namespace, for example `":"` where colons separate fields. These
   * characters are escaped, because in a name they stand for themselves. By default, there are none.
   */
  readonly special?: string | undefined;
}

/**
 * Returns the NSS for a name of another naming system. Characters that an NSS may not contain become escapes
 * of their UTF-8 bytes, with upper-case digits.
 *
 * The name is raw: a `%` in it is a percent sign and becomes `%25`. `/`, `?` and `#` are escaped, except that
 * `"rfc8141"` keeps a `/` that is not the first character. The Unicode form and the case of the name are not
 * normalized, because that is up to the namespace.
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
  const special = ownOption(options, "special") ?? "";
  assertString(special, "special");
  const syntax = chosenSyntax(options);
  if (name === "") throw new UrnError(name, describeProblem("name-empty", name, 0, syntax));
  const specials = new Set(special);
  const isKept = (unit: number, at: number) =>
    unit === SLASH
      ? syntax === "rfc8141" && at > 0
      : isClass(unit, syntax === "rfc2141" ? PLAIN_TRANS : PCHAR);
  let nss = "";
  let copied = 0;
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    if (isKept(unit, i) && !specials.has(name.charAt(i))) continue;
    const codePoint = name.codePointAt(i)!;
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) {
      throw new UrnError(name, describeProblem("name-lone-surrogate", name, i, syntax));
    }
    if (codePoint === 0 && syntax === "rfc2141")
      throw new UrnError(name, describeProblem("name-null", name, i, syntax));
    nss += name.slice(copied, i) + escapeCodePoint(codePoint);
    if (codePoint > 0xffff) i++;
    copied = i + 1;
  }
  return nss + name.slice(copied);
}

/**
 * Returns the name that an NSS stands for: each escape is decoded once, as UTF-8. The function is the inverse of
 * `encodeNss`.
 *
 * Do not compare names instead of URNs: different NSSs may stand for the same name (`a%2Cb` and `a,b`), and
 * a name does not show whether a character with a special meaning in the namespace was escaped.
 *
 * @throws {UrnError} `escapes-not-utf8`, or a code of `parseUrn` for the NSS or its escapes when the
 * argument is not an NSS.
 * @throws {TypeError} when the NSS is not a string.
 * @example
 * ```ts
 * import { decodeNss } from "@x/urn";
 *
 * decodeNss("Z%C3%BCrich%20100%25"); // → "Zürich 100%"
 * decodeNss("%2541"); // → "%41"
 * decodeNss("%FF"); // throws escapes-not-utf8
 * ```
 * @see RFC 2141 §2.2, RFC 8141 §2.2
 */
export function decodeNss(nss: string, options?: UrnSyntaxOptions): string {
  assertString(nss, "nss");
  const syntax = chosenSyntax(options);
  const scan = scanNss(nss, syntax);
  if (scan.end !== nss.length) throw new UrnError(nss, notNssProblem(scan, syntax));
  let name = "";
  let copied = 0;
  let at = nss.indexOf("%");
  while (at !== -1) {
    const codePoint = escapedCodePoint(nss, at);
    if (codePoint === -1)
      throw new UrnError(nss, describeProblem("escapes-not-utf8", nss, at, syntax));
    name += nss.slice(copied, at) + String.fromCodePoint(codePoint);
    copied = at + 3 * utf8Length(codePoint);
    at = nss.charCodeAt(copied) === PERCENT ? copied : nss.indexOf("%", copied);
  }
  return name + nss.slice(copied);
}
