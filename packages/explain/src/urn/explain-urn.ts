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
  /** Sentences about broken rules of the namespace, reserved characters and needless escapes. */
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
  const needless = syntax === "rfc2141" ? needlessEscape(urn) : null;
  if (needless !== null) notes.push(needless);
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

const LETTER_OR_DIGIT = /[0-9A-Za-z]/;
/** RFC 2141 §2.2: `<other>`. A namespace may give these characters a special meaning, and then escapes their literal use. */
const OTHER = /[()+,\-.:=@;$_!*']/;

/** RFC 2141 §2.3.1: a sentence about the first escape that a name must not have; `null` when there is none. */
function needlessEscape({ nid, nss }: Urn): string | null {
  for (const [written, digits] of nss.matchAll(/%([0-9A-Fa-f]{2})/g)) {
    const character = String.fromCharCode(Number.parseInt(digits!, 16));
    const isOther = OTHER.test(character);
    if (!isOther && !LETTER_OR_DIGIT.test(character)) continue;
    const unless = isOther ? `, unless it has a special meaning in the namespace "${nid}"` : "";
    return `"${written}" escapes "${character}", which must not be escaped${unless} (RFC 2141 §2.3.1)`;
  }
  return null;
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
