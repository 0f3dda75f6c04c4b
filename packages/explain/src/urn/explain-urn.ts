import {
  displayUrn,
  tryParseUrn,
  type Urn,
  type UrnSyntax,
  type UrnSyntaxOptions,
  urnProblem,
  usesReservedCharacters,
} from "@x/urn";
import { checkNamespace, type NamespaceProblem } from "@x/urn/namespaces";
import { readText } from "../line-input.ts";
import type { Refusal } from "../refusal.ts";

/** The names of the parts of a URN. */
export type UrnPartName = keyof Urn;

/**
 * The place of a part in the text, in UTF-16 code units: the index of its first character and the index after its last.
 */
export type UrnSpan = readonly [start: number, end: number];

/** The names of the parts, to show to people. */
export const URN_PART_LABELS: Readonly<Record<UrnPartName, string>> = {
  nid: "NID",
  nss: "NSS",
  rComponent: "r-component",
  qComponent: "q-component",
  fComponent: "f-component",
};

/** Everything about one URN, as plain data. */
export interface UrnExplanation extends Urn {
  /** The place of each part, in the order of the text; `null` for a part that the URN does not have. */
  readonly offsets: Readonly<Record<UrnPartName, UrnSpan | null>>;
  /** The URN in normal form. */
  readonly normalized: string;
  /** The normal form, with escapes decoded where people can read the characters. It is only for display. */
  readonly readable: string;
  /** Whether the URN uses `/`, `?` or `#`, which RFC 2141 reserves. */
  readonly usesReservedCharacters: boolean;
  /** The rules of the namespace that the URN breaks. */
  readonly namespaceProblems: readonly NamespaceProblem[];
  /** Sentences about broken rules of the namespace and reserved characters. */
  readonly notes: readonly string[];
}

/**
 * Explains a URN: its parts and their places, its normal form, its readable form, and anything unusual about it. The
 * result is a {@link Refusal} for an input that is not a URN, and for bytes that are not UTF-8.
 *
 * @throws TypeError when `input` is neither a string nor a `Uint8Array`, or when `syntax` is unknown.
 * @example
 * ```ts
 * import { explainUrn } from "@x/explain";
 *
 * const explained = explainUrn("URN:ISBN:0-395-36341-2");
 * if (!("error" in explained)) {
 *   explained.offsets.nss; // → [9, 22]
 *   explained.normalized; // → "urn:isbn:0-395-36341-2"
 *   explained.namespaceProblems.map(({ code }) => code); // → ["isbn-check-digit"]
 * }
 * ```
 * @see RFC 2141 §2, RFC 8141 §2
 */
export function explainUrn(
  input: string | Uint8Array,
  { syntax = "rfc2141" }: UrnSyntaxOptions = {},
): UrnExplanation | Refusal {
  return readText(input, (text) => {
    const urn = tryParseUrn(text, { syntax });
    return urn === null ? { error: urnProblem(text, { syntax })! } : explain(urn, syntax);
  });
}

function explain(urn: Urn, syntax: UrnSyntax): UrnExplanation {
  const { canonical: normalized, readable } = displayUrn(urn, { syntax });
  const isReserved = usesReservedCharacters(urn);
  const namespaceProblems = checkNamespace(urn);
  const notes = namespaceProblems.map(({ message, section, allowedBy }) => {
    const [sentence] = message.split(/\.(?: |$)/);
    const hint = allowedBy === undefined ? "" : "; RFC 8141 allows it";
    return `namespace "${urn.nid}": ${sentence} (${section})${hint}`;
  });
  if (isReserved && syntax === "rfc2141") {
    notes.push('"/", "?" and "#" are reserved and should not be used yet (RFC 2141 §2.3.2)');
  }
  return {
    ...urn,
    offsets: offsetsOf(urn),
    normalized,
    readable,
    usesReservedCharacters: isReserved,
    namespaceProblems,
    notes,
  };
}

/** Finds the parts in the text, where they follow one another, each after its delimiter. */
function offsetsOf(urn: Urn): Readonly<Record<UrnPartName, UrnSpan | null>> {
  let end = "urn".length;
  const next = (delimiter: string, part: string | null): UrnSpan | null => {
    if (part === null) return null;
    const start = end + delimiter.length;
    end = start + part.length;
    return [start, end];
  };
  return {
    nid: next(":", urn.nid),
    nss: next(":", urn.nss),
    rComponent: next("?+", urn.rComponent),
    qComponent: next("?=", urn.qComponent),
    fComponent: next("#", urn.fComponent),
  };
}
