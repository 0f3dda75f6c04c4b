import { equivalentUrns, formatUrn, normalizeUrn, parseUrn, type UrnSyntax } from "@x/urn";
import { namespaceRules } from "@x/urn/namespaces";
import { decodeUtf8 } from "../../text/decode-utf8.ts";
import { lineTooLong } from "../../text/line-too-long.ts";
import { type Given, refusalRecord, refusalText } from "../evaluate.ts";
import { textOf } from "../on-text.ts";
import { Refused } from "../refused.ts";
import { refusing } from "./refusing.ts";

/** One of two URNs: what it is, or why it is none. */
export interface Compared {
  readonly text: string | null;
  readonly normalized: string | null;
  readonly record: object;
  /** Lines for stderr. */
  readonly error: string;
}

/** Two URNs side by side. */
export interface Comparison {
  readonly urns: readonly [Compared, Compared];
  /** Whether they are equivalent by the rules for all URNs; `null` when one is no URN. */
  readonly isEqual: boolean | null;
  /** The same with the rules of registered namespaces. */
  readonly isEqualInNamespace: boolean | null;
  /** The namespace of both, or `null`. */
  readonly nid: string | null;
}

function compared(
  { place, url, isTooLong }: Given,
  syntax: UrnSyntax,
  columns: number | null,
): Compared {
  const text = typeof url === "string" ? url : (decodeUtf8(url) ?? Buffer.from(url).toString());
  try {
    if (isTooLong) {
      const { code, message } = lineTooLong(url);
      throw new Refused(code, message);
    }
    const urn = refusing(columns, () => parseUrn(textOf(url), { syntax }));
    const normalized = formatUrn(normalizeUrn(urn), { syntax });
    return { text, normalized, record: { ...place, urn: text, normalized }, error: "" };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const record = { ...place, urn: text, error: refusalRecord(error) };
    return { text: null, normalized: null, record, error: refusalText(place, error) };
  }
}

/** Compares two URNs by all the rules there are. */
export function compare(
  given: readonly [Given, Given],
  syntax: UrnSyntax,
  columns: number | null,
): Comparison {
  const [a, b] = [compared(given[0], syntax, columns), compared(given[1], syntax, columns)];
  if (a.normalized === null || b.normalized === null) {
    return { urns: [a, b], isEqual: null, isEqualInNamespace: null, nid: null };
  }
  const [nidA, nidB] = [a.normalized, b.normalized].map((urn) => parseUrn(urn, { syntax }).nid);
  return {
    urns: [a, b],
    isEqual: equivalentUrns(a.normalized, b.normalized, { syntax }),
    isEqualInNamespace: equivalentUrns(a.normalized, b.normalized, {
      syntax,
      namespaces: namespaceRules,
    }),
    nid: nidA === nidB ? nidA! : null,
  };
}
