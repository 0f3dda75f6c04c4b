import { isAllowed } from "../formats/parts/record-verdicts.ts";
import { isAllowing } from "./path.ts";
import { scanJson } from "./scan.ts";
import type { DocumentOutput } from "./selected.ts";
import type { JsonObject } from "./visitor.ts";

const KEPT: ReadonlySet<string> = new Set([
  "type",
  "id",
  "pattern",
  "pattern_type",
  "revoked",
  "valid_until",
  "indicator_types",
  "labels",
]);
/** The types of objects whose values are entries. */
const OF_ENTRIES: ReadonlySet<string> = new Set(["url", "domain-name", "hostname"]);
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

/** Reads the indicators of a STIX bundle. Returns the name of the field with the entries. */
export function readStix(text: string, output: DocumentOutput): string {
  const now = Date.now();

  function readIndicator({ members, start, repeated }: JsonObject) {
    const first = (name: string) => members.get(name)?.values?.[0]?.value;
    const pattern = first("pattern");
    const known = members.get("pattern")?.values?.[0]?.start ?? start;
    output.at(known);
    if (typeof pattern !== "string") return output.refuse("field-missing", String(first("id")));
    if (repeated.size > 0) return output.refuse("field-repeated", pattern);
    const kinds = ["indicator_types", "labels"].flatMap((name) => members.get(name)?.values ?? []);
    if (kinds.some(({ value }) => isAllowed(String(value))))
      return output.refuse("exception", pattern);
    const until = first("valid_until");
    const isOver = typeof until === "string" && Date.parse(until) <= now;
    if (String(first("revoked")) === "true" || isOver) return output.notApplicable(pattern);
    // Before STIX 2.1, there was only one type of pattern.
    if ((first("pattern_type") ?? "stix") !== "stix") return output.notApplicable(pattern);
    const comparisons = readPattern(pattern);
    if (comparisons === null) return output.refuse("stix-pattern", pattern);
    const entries = comparisons.filter(({ type }) => OF_ENTRIES.has(type));
    // The other comparisons are about files, addresses and the like.
    if (entries.length === 0) output.notApplicable(pattern);
    for (const { type, values } of entries) {
      for (const value of values) output.entry(value.trim(), type === "url" ? "field" : "host");
    }
  }

  // The place of a value is a boolean: whether the value is inside a member that contains exceptions.
  scanJson<boolean>(text, {
    root: false,
    member: (isInside, name) => isInside || isAllowing(name),
    element: (isInside) => isInside,
    keeps: (_, name) => KEPT.has(name),
    scalar() {},
    object(isInside, object) {
      const type = object.members.get("type")?.values?.[0]?.value;
      const id = object.members.get("id")?.values?.[0]?.value;
      if (type === "indicator" && !isInside) readIndicator(object);
      else if (typeof type === "string" && typeof id === "string" && id.startsWith(`${type}--`)) {
        output.at(object.start);
        output.notApplicable(id);
      }
    },
  });
  return "pattern";
}
