/** The grammars of both specifications, executed as written, and the rules that their prose adds. */

import type { Urn, UrnSyntax } from "@x/urn";
import { ends, type Grammar, matches, parseGrammar } from "./abnf.ts";

/** RFC 2141 §2 to §2.3, its `<x> ::=` written as ABNF. */
const rfc2141: Grammar = parseGrammar(`
  URN         = "urn:" NID ":" NSS
  NID         = let-num [ 1*31let-num-hyp ]
  let-num-hyp = upper / lower / number / "-"
  let-num     = upper / lower / number
  upper       = %x41-5A
  lower       = %x61-7A
  number      = %x30-39
  NSS         = 1*URN-chars
  URN-chars   = trans / "%" hex hex
  trans       = upper / lower / number / other / reserved
  hex         = number / "A" / "B" / "C" / "D" / "E" / "F"
  other       = "(" / ")" / "+" / "," / "-" / "." / ":" / "=" / "@" / ";" / "$" / "_" / "!" / "*" / "'"
  reserved    = "%" / "/" / "?" / "#"
`);

/** RFC 8141 §2, RFC 3986 Appendix A. */
const rfc8141: Grammar = parseGrammar(`
  namestring    = assigned-name [ rq-components ] [ "#" f-component ]
  assigned-name = "urn" ":" NID ":" NSS
  NID           = (alphanum) 0*30(ldh) (alphanum)
  ldh           = alphanum / "-"
  NSS           = pchar *(pchar / "/")
  rq-components = [ "?+" r-component ] [ "?=" q-component ]
  r-component   = pchar *( pchar / "/" / "?" )
  q-component   = pchar *( pchar / "/" / "?" )
  f-component   = fragment
  fragment      = *( pchar / "/" / "?" )
  pchar         = unreserved / pct-encoded / sub-delims / ":" / "@"
  pct-encoded   = "%" HEXDIG HEXDIG
  unreserved    = alphanum / "-" / "." / "_" / "~"
  sub-delims    = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
  alphanum      = %x41-5A / %x61-7A / %x30-39
  HEXDIG        = %x30-39 / "A" / "B" / "C" / "D" / "E" / "F"
`);

/** The parts of a URN, or `null`, as `tryParseUrn` must return them. */
export function oracleParse(text: string, syntax: UrnSyntax): Urn | null {
  const isMatch =
    syntax === "rfc2141" ? matches(rfc2141, "URN", text) : matches(rfc8141, "namestring", text);
  return isMatch ? readMatch(text, syntax) : null;
}

/** The parts of a text that matches the grammar, or `null` when the prose of the specification refuses it. */
function readMatch(text: string, syntax: UrnSyntax): Urn | null {
  return syntax === "rfc2141" ? readMatch2141(text) : readMatch8141(text);
}

function readMatch2141(text: string): Urn | null {
  const [, nid = "", ...rest] = text.split(":");
  const nss = rest.join(":");
  if (nid.toLowerCase() === "urn") return null; // §2.1: MUST NOT be used
  if (/%(?![0-9A-Fa-f]{2})/.test(nss)) return null; // §2.3.1: MUST be followed by two <hex>
  if (nss.includes("%00")) return null; // §2.4: should NEVER be used
  return { nid, nss, rComponent: null, qComponent: null, fComponent: null };
}

function readMatch8141(text: string): Urn | null {
  let rest = text;
  const cut = (introducer: string): string | null => {
    const at = rest.indexOf(introducer);
    if (at === -1) return null;
    const component = rest.slice(at + introducer.length);
    rest = rest.slice(0, at);
    return component;
  };
  // §2.3.3: the first "#" begins the f-component; §2.3.1 and §2.3.2: the first "?+" or "?=" ends the name.
  const fComponent = cut("#");
  let rComponent: string | null = null;
  let qComponent: string | null = null;
  const firstR = rest.indexOf("?+");
  const firstQ = rest.indexOf("?=");
  if (firstR !== -1 && (firstQ === -1 || firstR < firstQ)) {
    const components = cut("?+")!;
    // §2.3.1: the r-component ends with a "?=" sequence, which begins a q-component.
    const end = components.indexOf("?=");
    rComponent = end === -1 ? components : components.slice(0, end);
    qComponent = end === -1 ? null : components.slice(end + 2);
  } else {
    qComponent = cut("?=");
  }
  if (rComponent !== null && !matches(rfc8141, "r-component", rComponent)) return null;
  if (qComponent !== null && !matches(rfc8141, "q-component", qComponent)) return null;
  const [, nid = "", ...nss] = rest.split(":");
  return { nid, nss: nss.join(":"), rComponent, qComponent, fComponent };
}

/** The end of the longest prefix of a text, from `start` on, that is a URN, or -1 when there is none. */
export function oracleEnd(text: string, start: number, syntax: UrnSyntax): number {
  const places =
    syntax === "rfc2141"
      ? ends(rfc2141, "URN", text, start)
      : ends(rfc8141, "namestring", text, start);
  const isWhole = (end: number) => readMatch(text.slice(start, end), syntax) !== null;
  return [...places].sort((a, b) => b - a).find(isWhole) ?? -1;
}
