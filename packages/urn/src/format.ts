import { ASCII_END, HEX, isClass } from "./characters.ts";
import { describeProblem, UrnError, type UrnProblem } from "./error.ts";
import { chosenSyntax, ownOption, type UrnSyntax, type UrnSyntaxOptions } from "./options.ts";
import { assertUrn, toUrn, type Urn } from "./parse.ts";
import { notUrnProblem, scanUrn } from "./scan-urn.ts";

/**
 * Returns the text of a URN. The function is the inverse of `parseUrn`. The text starts with `urn:` in lower case, and
 * all other characters are those of the record.
 *
 * The record is checked, because it may have been made by hand. Parsing the result gives the same parts, under the
 * `syntax` in the options or, if there is none, under at least one of the two syntaxes.
 *
 * @throws {UrnError} with the codes of `parseUrn`; its `input` is the text made from the parts. The code is
 * `record-ambiguous` when that text is a URN with other parts, for example because of a `:` in the NID.
 * @throws {TypeError} when a part is neither a string nor, for a component, `null`.
 * @example
 * ```ts
 * import { formatUrn, parseUrn } from "@x/urn";
 *
 * formatUrn(parseUrn("URN:ISBN:0-395-36341-1")); // → "urn:ISBN:0-395-36341-1"
 * formatUrn({ nid: "a", nss: "b c", rComponent: null, qComponent: null, fComponent: null }); // throws nss-character
 * ```
 * @see RFC 2141 §2, RFC 8141 §2
 */
export function formatUrn(urn: Urn, options?: UrnSyntaxOptions): string {
  assertUrn(urn);
  const text = writeUrn(urn);
  const syntax = chosenSyntax(options);
  const isChosen = ownOption(options, "syntax") !== undefined;
  const problem = isChosen
    ? readBackProblem(urn, text, syntax)
    : readBackProblemUnderBoth(urn, text);
  if (problem !== null) throw new UrnError(text, problem);
  return text;
}

/** The parts joined, unchecked. */
export function writeUrn(urn: Urn): string {
  let text = `urn:${urn.nid}:${urn.nss}`;
  if (urn.rComponent !== null) text += `?+${urn.rComponent}`;
  if (urn.qComponent !== null) text += `?=${urn.qComponent}`;
  if (urn.fComponent !== null) text += `#${urn.fComponent}`;
  return text;
}

/** Returns `null` when the text has the parts of the record under one of the syntaxes. Only RFC 8141 has components. */
function readBackProblemUnderBoth(urn: Urn, text: string): UrnProblem | null {
  const hasComponents =
    urn.rComponent !== null || urn.qComponent !== null || urn.fComponent !== null;
  if (hasComponents) return readBackProblem(urn, text, "rfc8141");
  const problem2141 = readBackProblem(urn, text, "rfc2141");
  if (problem2141 === null) return null;
  const problem8141 = readBackProblem(urn, text, "rfc8141");
  if (problem8141 === null) return null;
  // It would not help to say that RFC 8141 allows the text, because under RFC 8141 the text has other parts.
  return problem2141.allowedBy === undefined ? problem2141 : problem8141;
}

function readBackProblem(urn: Urn, text: string, syntax: UrnSyntax): UrnProblem | null {
  const scan = scanUrn(text, 0, syntax);
  if (scan.end !== text.length) return notUrnProblem(scan, syntax);
  const again = toUrn(scan);
  const isSame =
    again.nid === urn.nid &&
    again.nss === urn.nss &&
    again.rComponent === urn.rComponent &&
    again.qComponent === urn.qComponent &&
    again.fComponent === urn.fComponent;
  return isSame ? null : describeProblem("record-ambiguous", text, scan.nidEnd, syntax);
}

/**
 * Returns the URN in its normal form: the NID in lower case, and the hexadecimal digits of escapes in upper
 * case.
 *
 * Nothing else changes: escapes are not decoded, and other letters keep their case. Two URNs are
 * equivalent when their normal forms have the same NID and NSS.
 *
 * @throws {TypeError} when the argument is not the record of a URN.
 * @example
 * ```ts
 * import { formatUrn, normalizeUrn, parseUrn } from "@x/urn";
 *
 * formatUrn(normalizeUrn(parseUrn("URN:FOO:a123%2cB"))); // → "urn:foo:a123%2CB"
 * ```
 * @see RFC 2141 §5, RFC 8141 §3.1, RFC 3986 §6.2.2.1
 */
export function normalizeUrn(urn: Urn): Urn {
  assertUrn(urn);
  return {
    nid: lowerCase(urn.nid),
    nss: upperCaseEscapes(urn.nss),
    rComponent: urn.rComponent === null ? null : upperCaseEscapes(urn.rComponent),
    qComponent: urn.qComponent === null ? null : upperCaseEscapes(urn.qComponent),
    fComponent: urn.fComponent === null ? null : upperCaseEscapes(urn.fComponent),
  };
}

/**
 * Returns ASCII text in lower case. Other text, which a record made by hand may contain, stays as it is: the
 * lower case of the Kelvin sign is an ASCII `k`.
 */
export function lowerCase(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) >= ASCII_END) return text;
  }
  return text.toLowerCase();
}

/** The text with the hexadecimal digits of each escape in upper case. */
export function upperCaseEscapes(text: string): string {
  let result = "";
  let copied = 0;
  let at = text.indexOf("%");
  while (at !== -1) {
    if (isClass(text.charCodeAt(at + 1), HEX) && isClass(text.charCodeAt(at + 2), HEX)) {
      result += text.slice(copied, at) + text.slice(at, at + 3).toUpperCase();
      copied = at + 3;
      at = text.indexOf("%", copied);
    } else {
      at = text.indexOf("%", at + 1);
    }
  }
  return result + text.slice(copied);
}
