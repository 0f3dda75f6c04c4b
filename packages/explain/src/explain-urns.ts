import {
  canonicalKey,
  displayUrn,
  formatUrn,
  normalizeUrn,
  tryParseUrn,
  type Urn,
  type UrnSyntax,
  type UrnSyntaxOptions,
  urnProblem,
  usesReservedCharacters,
} from "@x/urn";
import { checkNamespace, type NamespaceProblem, namespaceRules } from "@x/urn/namespaces";
import { listInWords } from "./counted.ts";
import { type InputRecord, inputRecord, type Refusal, readText } from "./input.ts";

export type UrnPartName = keyof Urn;

/**
 * The place of a part in the text, in UTF-16 code units: the index of its first character and the index after its last.
 */
type UrnSpan = readonly [start: number, end: number];

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
    const components = componentsIn(urn);
    if (components !== null) notes.push(components);
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

/** A sentence about the end of a name that RFC 8141 reads as components; `null` when there is none. */
function componentsIn(urn: Urn): string | null {
  const newer = tryParseUrn(formatUrn(urn), { syntax: "rfc8141" });
  if (newer === null || newer.nss === urn.nss) return null;
  const end = urn.nss.slice(newer.nss.length);
  return `RFC 8141 reads "${end}" as components, which are not part of the name (RFC 8141 §2.3)`;
}

const LETTER_OR_DIGIT = /[0-9A-Za-z]/;
/**
 * RFC 2141 §2.2: `<other>`. A namespace may give these characters a special meaning, and then escapes their literal
 * use.
 */
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

/** One of two compared inputs: its normal form, or why it is not a URN. */
type ComparedUrn = InputRecord<"urn"> & ({ readonly normalized: string } | Refusal);

/** Whether two inputs are the same URN, as plain data. */
export interface UrnComparison {
  /**
   * - `"equal"`: equivalent by the rules for all URNs.
   * - `"equal-in-namespace"`: equivalent only by the rules of their namespace.
   * - `"different"`: not equivalent by any known rule.
   * - `"unknown"`: at least one input is not a URN.
   */
  readonly verdict: "equal" | "equal-in-namespace" | "different" | "unknown";
  /** The rule that decides, in words. */
  readonly rule: string;
  /** The two inputs, each with its normal form or its problem. */
  readonly urns: readonly [ComparedUrn, ComparedUrn];
  /** The texts that were finally compared; `null` when there was nothing to compare. */
  readonly compared: readonly [string, string] | null;
}

type Outcome = Pick<UrnComparison, "verdict" | "rule" | "compared">;

/** An input that is a URN. */
interface ParsedUrn {
  readonly text: string;
  readonly urn: Urn;
  readonly normal: Urn;
}

const SECTIONS = { rfc2141: "RFC 2141 §5", rfc8141: "RFC 8141 §3" } as const;

/**
 * Returns whether two inputs are the same URN, and the rule that decides. The rules of the namespaces that `@x/urn`
 * knows are applied, too.
 *
 * @see RFC 2141 §5, RFC 8141 §3
 */
export function compareUrns(
  a: string | Uint8Array,
  b: string | Uint8Array,
  { syntax = "rfc2141" }: UrnSyntaxOptions = {},
): UrnComparison {
  const read = (input: string | Uint8Array): ParsedUrn | Refusal =>
    readText(input, (text) => {
      const urn = tryParseUrn(text, { syntax });
      if (urn === null) return { error: urnProblem(text, { syntax })! };
      return { text, urn, normal: normalizeUrn(urn) };
    });
  const recordOf = (input: string | Uint8Array, result: ParsedUrn | Refusal): ComparedUrn => ({
    ...inputRecord(input, "urn"),
    ...("error" in result ? result : { normalized: formatUrn(result.normal, { syntax }) }),
  });

  const [first, second] = [read(a), read(b)];
  const outcome =
    "error" in first || "error" in second
      ? nothingToCompare("error" in first, "error" in second)
      : compare(first, second, SECTIONS[syntax]);
  return { ...outcome, urns: [recordOf(a, first), recordOf(b, second)] };
}

function nothingToCompare(isFirstRefused: boolean, isSecondRefused: boolean): Outcome {
  const which =
    isFirstRefused && isSecondRefused
      ? "Neither is"
      : `The ${isFirstRefused ? "first" : "second"} is not`;
  return { verdict: "unknown", rule: `${which} a URN.`, compared: null };
}

function compare(a: ParsedUrn, b: ParsedUrn, section: string): Outcome {
  const compared = [canonicalKey(a.urn), canonicalKey(b.urn)] as const;
  if (compared[0] === compared[1]) {
    return { verdict: "equal", rule: ruleOfEquality(a, b, section), compared };
  }
  const { nid } = a.normal;
  if (nid !== b.normal.nid) {
    const rule = `The NIDs differ. URNs of different namespaces are never the same (${section}).`;
    return { verdict: "different", rule, compared };
  }
  if (!Object.hasOwn(namespaceRules, nid)) {
    const rule = `The NSSs differ, and no rule of the namespace “${nid}” is known that would allow it (${section}).`;
    return { verdict: "different", rule, compared };
  }
  const options = { namespaces: namespaceRules };
  const byRule = [canonicalKey(a.urn, options), canonicalKey(b.urn, options)] as const;
  const isEqual = byRule[0] === byRule[1];
  const rule = isEqual
    ? `They are the same only by the rule of the namespace “${nid}”.`
    : `The NSSs differ, even by the rule of the namespace “${nid}”.`;
  return { verdict: isEqual ? "equal-in-namespace" : "different", rule, compared: byRule };
}

/** Says which differences between two equivalent URNs do not count. */
function ruleOfEquality(a: ParsedUrn, b: ParsedUrn, section: string): string {
  if (a.text === b.text) return "The two texts are the same.";
  const cases: string[] = [];
  if (a.text.slice(0, 3) !== b.text.slice(0, 3)) cases.push("of “urn”");
  if (a.urn.nid !== b.urn.nid) cases.push("of the NID");
  if (a.urn.nss !== b.urn.nss) cases.push("of hexadecimal digits in escapes");
  const components = ["rComponent", "qComponent", "fComponent"] as const;
  const hasOtherComponents = components.some((name) => a.urn[name] !== b.urn[name]);
  const sentences: string[] = [];
  if (cases.length > 0) sentences.push(`The case ${listInWords(cases)} does not matter`);
  if (hasOtherComponents) sentences.push("The r-, q- and f-components do not count");
  return `${sentences.join(". ")} (${section}).`;
}
