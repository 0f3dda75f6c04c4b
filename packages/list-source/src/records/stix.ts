import type { Output } from "../formats/format.ts";
import { beginningOf } from "./json-rows.ts";

/** The types of objects whose values are entries. */
const OF_ENTRIES: ReadonlySet<string> = new Set(["url", "domain-name", "hostname"]);
/** The type of an indicator that the specification defines for what is not harmful. */
const BENIGN = "benign";
const LITERAL = "'(?:[^'\\\\]|\\\\['\\\\])*'";
const LONGEST_PATTERN = 2 ** 16;
/** Matches a comparison such as `url:value = 'http://evil.example/'` or `domain-name:value IN ('a.example')`. */
const COMPARISON = new RegExp(
  `\\s*([a-z0-9-]+):([\\w.'-]+)\\s*(?:=\\s*(${LITERAL})|IN\\s*\\(\\s*(${LITERAL}(?:\\s*,\\s*${LITERAL})*)\\s*\\))\\s*`,
  "y",
);
const LITERALS = new RegExp(LITERAL, "g");
const OR = /OR\b/y;
const OPEN = /\s*\[/y;
const CLOSE = /\]\s*/y;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The objects of a STIX bundle, or of the envelope that a TAXII server sends; `null` for other documents. An object
 * elsewhere in a document, however much it looks like an indicator, does not make the document a bundle.
 */
export function indicatorsOf(document: unknown): readonly unknown[] | null {
  if (!isObject(document) || !Array.isArray(document["objects"])) return null;
  const objects: readonly unknown[] = document["objects"];
  const isStix =
    document["type"] === "bundle" ||
    objects.some(
      (each) =>
        isObject(each) && each["type"] === "indicator" && typeof each["pattern"] === "string",
    );
  return isStix ? objects : null;
}

/**
 * Reads the indicators among the objects of a bundle. Returns the name of the field with the entries.
 *
 * @see STIX 2.1 §4.7
 */
export function readStix(objects: readonly unknown[], output: Output): string {
  const now = Date.now();
  for (const [i, object] of objects.entries()) {
    output.at(i + 1);
    if (!isObject(object) || typeof object["type"] !== "string") {
      output.refuse("field-missing", beginningOf(object));
    } else if (object["type"] === "indicator") readIndicator(object, now, output);
    // Objects of a bundle have a type and an identifier of this type.
    else if (String(object["id"]).startsWith(`${object["type"]}--`)) {
      output.notApplicable(String(object["id"]));
    } else output.refuse("field-missing", beginningOf(object));
  }
  return "pattern";
}

function readIndicator(indicator: Fields, now: number, output: Output) {
  const { pattern, pattern_type = "stix", revoked, valid_until, indicator_types } = indicator;
  if (typeof pattern !== "string") return output.refuse("field-missing", beginningOf(indicator));
  const types = Array.isArray(indicator_types) ? indicator_types : [];
  if (types.includes(BENIGN)) return output.refuse("exception", pattern);
  const isOver = typeof valid_until === "string" && Date.parse(valid_until) <= now;
  if (revoked === true || revoked === "true" || isOver) return output.notApplicable(pattern);
  // Before STIX 2.1, there was only one type of pattern.
  if (pattern_type !== "stix") return output.notApplicable(pattern);
  const comparisons = readPattern(pattern);
  if (comparisons === null) return output.refuse("stix-pattern", pattern);
  const entries = comparisons.filter(({ type }) => OF_ENTRIES.has(type));
  // The other comparisons are about files, addresses and the like.
  if (entries.length === 0) output.notApplicable(pattern);
  for (const { type, values } of entries) {
    for (const value of values) output.entry(value.trim(), type === "url" ? "field" : "host");
  }
}

/** A comparison in a pattern: the type of the objects, and the values. */
interface Comparison {
  readonly type: string;
  readonly values: readonly string[];
}

/**
 * The comparisons of a pattern if each of them is enough by itself: `[url:value = 'a' OR url:value = 'b']`. Otherwise
 * returns `null`, because a part of a pattern would block more than the pattern.
 *
 * @see STIX 2.1 §9
 */
function readPattern(pattern: string): readonly Comparison[] | null {
  if (pattern.length > LONGEST_PATTERN) return null;
  const found: Comparison[] = [];
  let at = 0;
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at;
    const match = expression.exec(pattern);
    if (match !== null) at = expression.lastIndex;
    return match;
  };
  do {
    if (take(OPEN) === null) return null;
    do {
      const comparison = take(COMPARISON);
      if (comparison === null) return null;
      const [, type = "", property = "", single, set] = comparison;
      const values = [...(single ?? set!).matchAll(LITERALS)].map(([literal]) =>
        literal.slice(1, -1).replace(/\\(['\\])/g, "$1"),
      );
      found.push({ type: property === "value" ? type : `${type}:${property}`, values });
    } while (take(OR) !== null);
    if (take(CLOSE) === null) return null;
  } while (take(OR) !== null);
  return at === pattern.length ? found : null;
}
