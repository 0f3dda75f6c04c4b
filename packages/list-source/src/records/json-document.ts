import type { Output, ParserOptions } from "../formats/format.ts";
import { ListSourceError } from "../problems.ts";
import { quoted } from "../text.ts";
import {
  beginningOf,
  candidatePlaces,
  ELEMENT,
  type Fields,
  isObject,
  MAX_DEPTH,
  parseJson,
  parsePath,
  pathReader,
} from "./json.ts";
import { columnUnknown, knownDocument } from "./records.ts";

/**
 * Reads the entries of a whole JSON document. Returns the path of the entries. The number of the line is the number of
 * the record.
 *
 * @throws ListSourceError `json-document` for text that is not JSON, `column-missing` when it is not known where the
 * entries are, `rows-unclear` when it is not clear which records are entries.
 */
export function readJsonDocument(text: string, output: Output, options: ParserOptions): string {
  const document = parseDocument(text);
  const { column } = options;
  if (column === undefined) {
    const objects = indicatorsOf(document);
    if (objects !== null) return readStix(objects, output);
    const attributes = attributesOf(document);
    if (attributes !== null) return readMisp(attributes, output);
  }
  const known = knownDocument((path) => recordsAt(document, path));
  const isList = Array.isArray(document) && document.every((each) => typeof each === "string");
  const path = column === undefined ? (known?.path ?? (isList ? "[]" : null)) : String(column);
  if (path !== null) {
    const where = options.where ?? (path === known?.path ? known.where : null);
    const reader = pathReader(output, { ...options, path, where, isRecord: false });
    if (reader.read(document, "") > 0) {
      reader.end();
      return path;
    }
  }
  const missing = column === undefined ? "" : ` with nothing at ${quoted(String(column))}`;
  const what = "the path of the entries as the column";
  throw columnUnknown(`a JSON document${missing}`, candidatePlaces([document]), what);
}

/** @throws ListSourceError `json-document` */
function parseDocument(text: string): unknown {
  const parsed = parseJson(text);
  const { problem } = parsed;
  if (problem === null) return parsed.value;
  const error = (found: string, expected?: string) =>
    new ListSourceError("json-document", found, expected, problem);
  if (problem === "member-repeated") {
    throw error("a JSON document in which an object has a member twice", "each member once");
  }
  if (problem === "nested-too-deeply") {
    const found = "a JSON document with too many objects and arrays inside each other";
    throw error(found, `at most ${MAX_DEPTH}`);
  }
  if (!/[\]}]\s*$/.test(text.slice(-100))) throw error("a JSON document that ends too early");
  const [, index] = /position (\d+)/.exec(problem.message) ?? [];
  const line = index === undefined ? null : text.slice(0, Number(index)).split("\n").length;
  const where = line === null ? "" : ` in line ${line.toLocaleString("en")}`;
  throw error(`JSON with a mistake${where}`, "a valid JSON document, or one JSON object per line");
}

/** The records whose field a path names; the document itself if the path names one of its members. */
function* recordsAt(document: unknown, path: string): Iterable<unknown> {
  const steps = parsePath(path);
  const last = steps.findLastIndex((step) => typeof step === "string");
  yield* (function* visit(value: unknown, at: number): Iterable<unknown> {
    if (at === last) return yield value;
    const isElement = steps[at] === ELEMENT;
    const inside = isElement && Array.isArray(value) ? value : null;
    const members = !isElement && isObject(value) ? Object.values(value) : null;
    // A value of another kind is no record of the layout.
    if (inside === null && members === null) yield null;
    for (const each of inside ?? members ?? []) yield* visit(each, at + 1);
  })(document, 0);
}

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

/**
 * The objects of a STIX bundle, or of the envelope that a TAXII server sends; `null` for other documents. An object
 * elsewhere in a document, however much it looks like an indicator, does not make the document a bundle.
 */
function indicatorsOf(document: unknown): readonly unknown[] | null {
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
function readStix(objects: readonly unknown[], output: Output): string {
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

/**
 * The types of attributes that are entries. If a type has a bar, the value also has one, and a second value after it.
 */
const HOST_TYPES: ReadonlySet<unknown> = new Set([
  "domain",
  "hostname",
  "domain|ip",
  "hostname|port",
]);
const URL_TYPES: ReadonlySet<unknown> = new Set(["url", "uri"]);

const listIn = (object: Fields, name: string): readonly unknown[] | null =>
  Array.isArray(object[name]) ? object[name] : null;

/**
 * The attributes of MISP events, and of the objects in them; `null` for other documents. The document is an event, an
 * array of events, or the answer of a server.
 */
function attributesOf(document: unknown): readonly unknown[] | null {
  const answer = isObject(document) ? document["response"] : undefined;
  const events = answer ?? document;
  const found: unknown[] = [];
  for (const event of Array.isArray(events) ? events : [events]) {
    const attributes = isObject(event) ? attributesIn(event) : null;
    if (attributes === null) return null;
    found.push(...attributes);
  }
  return found.length > 0 ? found : null;
}

function attributesIn(record: Fields): readonly unknown[] | null {
  const event = isObject(record["Event"]) ? record["Event"] : record;
  const attributes = listIn(event, "Attribute");
  const objects = listIn(event, "Object");
  if (attributes === null && objects === null) return null;
  const inside = (objects ?? []).flatMap((each) =>
    isObject(each) ? (listIn(each, "Attribute") ?? [each]) : [each],
  );
  return [...(attributes ?? []), ...inside];
}

/**
 * Reads attributes. One that is not meant for detection (`to_ids`), such as the URL of a report, does not apply.
 * Returns the path of the entries.
 */
function readMisp(attributes: readonly unknown[], output: Output): string {
  for (const [i, attribute] of attributes.entries()) {
    output.at(i + 1);
    if (isObject(attribute) && typeof attribute["type"] === "string")
      readAttribute(attribute, output);
    else output.refuse("field-missing", beginningOf(attribute));
  }
  return "Attribute[].value";
}

function readAttribute({ type, value, to_ids, deleted }: Fields, output: Output) {
  const shown = `${type}: ${beginningOf(value)}`;
  const isHost = HOST_TYPES.has(type);
  const isMeant = isTrue(to_ids) && !isTrue(deleted);
  if (!isMeant || !(isHost || URL_TYPES.has(type))) return output.notApplicable(shown);
  if (typeof value !== "string" || value.trim() === "") return output.refuse("field-empty", shown);
  output.entry(isHost ? value.split("|")[0]!.trim() : value.trim(), isHost ? "host" : "field");
}

const isTrue = (value: unknown): boolean => /^(?:true|1)$/i.test(String(value));
