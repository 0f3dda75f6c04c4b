import type { LineParser, ListFormat, Output, ParserOptions } from "../formats/format.ts";
import type { RefusalCode } from "../problems.ts";
import { shorten } from "../text.ts";
import {
  type Candidate,
  columnUnknown,
  knownTable,
  type RecordReader,
  recordReader,
} from "./records.ts";

/*
 * A path says where the entries of a JSON document are: `data[].url` is the member `url` of each element of the array
 * `data`. `[]` stands for each element of an array, and `*` for any name, such as the identifiers of records. In JSON
 * lines, the path begins in each record.
 */

/** One JSON object per line, with a field that contains an entry or an array of entries. */
export const jsonLines: ListFormat = {
  name: "json-lines",
  title: "JSON objects, one per line",
  shape: {
    code: "json-line",
    found: "JSON",
    pattern: /^\s*(?:\{\s*(?:"|\}\s*$)|\[\s*(?:["{[]|\]\s*$))/,
  },
  parser: jsonLinesParser,
};

/** The maximum numbers of records and characters that a message about them takes into account. */
const MOST_RECORDS = 100;
const MOST_CHARACTERS = 2 ** 20;

function jsonLinesParser(output: Output, options: ParserOptions): LineParser {
  const { column } = options;
  let path = column === undefined ? null : String(column);
  let reader: PathReader | null = null;
  /** The first records, if nobody said which field has the entries. */
  const unclear: Fields[] = [];
  let characters = 0;

  function readerFor(record: Fields): PathReader | null {
    const known = knownTable(Object.keys(record));
    path ??= known?.column ?? null;
    if (path === null) return null;
    const where = options.where ?? (path === known?.column ? known.where : null);
    return pathReader(output, { ...options, path, where, isRecord: true });
  }

  function endUnclear(): void {
    const found = candidatePlaces(unclear);
    throw columnUnknown(
      "a list of JSON objects",
      found,
      "the name or path of the field with the entries",
    );
  }

  return {
    line(line) {
      const parsed = line.startsWith("{") ? parseJson(line) : null;
      if (parsed === null || parsed.problem !== null) {
        const isTwice = parsed?.problem === "member-repeated";
        const code = isTwice ? "field-repeated" : "json-invalid";
        return reader === null ? output.refuse(code, line) : reader.refuse(code, line);
      }
      const record = parsed.value as Fields;
      reader ??= readerFor(record);
      if (reader !== null) {
        reader.read(record, line);
        return;
      }
      unclear.push(record);
      characters += line.length;
      if (unclear.length === MOST_RECORDS || characters > MOST_CHARACTERS) endUnclear();
    },
    finish() {
      if (unclear.length > 0) endUnclear();
      reader?.end();
    },
    column: () => path,
  };
}

/** A step of a path: the name of a member, each element of an array, or any member. */
type PathStep = string | typeof ELEMENT | typeof ANY;
export const ELEMENT: unique symbol = Symbol("[]");
const ANY: unique symbol = Symbol("*");

/** Reads a path. Names may not contain dots. */
export function parsePath(path: string): readonly PathStep[] {
  return path.split(".").flatMap((part) => {
    const name = part.replace(/(?:\[\])+$/, "");
    const elements = Array<PathStep>((part.length - name.length) / 2).fill(ELEMENT);
    if (name === "") return elements;
    return [name === "*" ? ANY : name, ...elements];
  });
}

/** The opposite of {@link parsePath}. */
function formatPath(steps: readonly PathStep[]): string {
  return steps
    .map((step, i) => {
      if (step === ELEMENT) return "[]";
      return `${i === 0 ? "" : "."}${step === ANY ? "*" : String(step)}`;
    })
    .join("");
}

/** Records with more fields are unusual. Their further fields count as one. */
const MOST_FIELDS = 1000;
const OTHER_FIELDS = "…";
/** Objects that are nested more deeply in a record count as one value. */
const MAX_FIELD_DEPTH = 4;

type Values = readonly (string | undefined)[];

interface PathOptions extends Pick<ParserOptions, "maxCharacters"> {
  readonly path: string;
  readonly where: ParserOptions["where"] | null;
  readonly dateColumn: ParserOptions["dateColumn"];
  /** Whether each value is a record, as in JSON lines, and not a document with records. */
  readonly isRecord: boolean;
}

interface PathReader extends Pick<RecordReader, "refuse" | "end"> {
  /**
   * Reads the values of the path in a document or a record. Returns their number, including refused ones.
   *
   * @param shown the beginning of a record, for messages.
   */
  read(value: unknown, shown: string): number;
}

/**
 * Reads the values of a path, with the other fields of their records. Fields are named relative to the outermost
 * record, which is an element of an array, or a member with an identifier as its name.
 */
export function pathReader(output: Output, options: PathOptions): PathReader {
  const { path, where = null, dateColumn, isRecord, maxCharacters } = options;
  const plan = planOf(parsePath(path));
  /** The name of a field may look like a path. */
  const planOfName = planOf([path]);
  const names: string[] = [];
  const indices = new Map<string, number>();
  const records = recordReader(output, { names, own: -1, where, dateColumn, maxCharacters });
  const needsFields = where?.length !== 0 || dateColumn !== undefined;
  /** Whether records may be left out, and shown. */
  const isShown = where !== null && where.length > 0;
  let found = 0;

  function indexOf(name: string): number {
    const known = indices.get(name);
    if (known !== undefined) return known;
    if (names.length === MOST_FIELDS && name !== OTHER_FIELDS) return indexOf(OTHER_FIELDS);
    indices.set(name, names.length);
    return names.push(name) - 1;
  }

  function addFields(
    object: Fields,
    prefix: string,
    without: string | null,
    depth: number,
    to: (string | undefined)[],
  ) {
    for (const name of Object.keys(object)) {
      if (name === without) continue;
      const value = object[name];
      const field = prefix === "" ? name : `${prefix}.${name}`;
      if (isObject(value) && depth < MAX_FIELD_DEPTH) addFields(value, field, null, depth + 1, to);
      else to[indexOf(field)] = textOf(value);
    }
    return to;
  }

  function planOf(steps: readonly PathStep[]) {
    const first = steps.findIndex((step) => step === ELEMENT || step === ANY) + 1;
    const outermost = steps.findIndex((step, at) => at >= first && typeof step === "string");
    const start = isRecord ? 0 : outermost;
    const prefixes = steps.map((_, at) => formatPath(steps.slice(start, at)));
    return { steps, first, start, prefixes };
  }

  function read(root: unknown, { steps, first, start, prefixes }: typeof plan, line: string) {
    function refuse(code: RefusalCode, shown: unknown) {
      if (!isRecord) output.at(++found);
      records.refuse(code, isRecord ? line : beginningOf(shown));
    }

    function visit(value: unknown, at: number, values: Values, record: unknown): void {
      const step = steps[at];
      const isInRecord = isRecord || (first > 0 && at >= first);
      if (step === undefined) readValue(value, values, record);
      else if (step === ELEMENT && Array.isArray(value)) {
        for (const each of value) visit(each, at + 1, values, each);
      } else if (step === ANY && isObject(value)) {
        for (const [name, each] of Object.entries(value)) {
          const all = [...values];
          if (needsFields) all[indexOf(formatPath(steps.slice(start, at + 1)) || "*")] = name;
          visit(each, at + 1, all, each);
        }
      } else if (typeof step === "string" && isObject(value) && Object.hasOwn(value, step)) {
        const isRecorded = isInRecord && needsFields;
        const all = isRecorded ? addFields(value, prefixes[at]!, step, 0, [...values]) : values;
        visit(value[step], at + 1, all, record);
      } else if (isInRecord) refuse("field-missing", value);
    }

    function readValue(value: unknown, values: Values, record: unknown): void {
      if (Array.isArray(value) && value.length === 0) refuse("field-empty", record);
      for (const each of Array.isArray(value) ? value : [value]) {
        if (typeof each !== "string" || each.trim() === "") refuse("field-empty", record);
        else {
          if (!isRecord) output.at(++found);
          records.row(each.trim(), values, isShown && !isRecord ? beginningOf(record) : line);
        }
      }
    }

    visit(root, 0, [], root);
  }

  return {
    read(value, line) {
      const isName = isRecord && isObject(value) && Object.hasOwn(value, path);
      read(value, isName ? planOfName : plan, line);
      return found;
    },
    refuse: records.refuse,
    end: records.end,
  };
}

function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  const isFlat = Array.isArray(value) && value.every((each) => typeof each !== "object");
  return isFlat ? value.join(", ") : JSON.stringify(value);
}

/** All values of a document that have the same path. */
interface Place {
  readonly path: string;
  readonly inside: Map<string, Place>;
  count: number;
  /** The first string that may be an entry, or else the first one. */
  example: string;
}

const MOST_NAMES = 1000;
/** Names that identify records: numbers, UUIDs, hashes, and hosts or URLs. */
const IDENTIFIER =
  /^(?:[0-9]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,128}|.*[.:/].*|.{100}.*)$/is;

/** Matches a URL, or a text that may be a host. The answer only decides which places a message shows. */
const MAY_BE_ENTRY = /:\/\/|^[^\s@]*[^\s\d.@:]\.[^\s\d.]\S*$/;

/** The places in JSON values that may have the entries. Those inside arrays, and with the most values, come first. */
export function candidatePlaces(roots: readonly unknown[]): readonly Candidate[] {
  const places: Place[] = [];

  function placeIn(place: Place, step: string, path: string): Place {
    const known = place.inside.get(step);
    if (known !== undefined) return known;
    const made = { path, inside: new Map(), count: 0, example: "" };
    place.inside.set(step, made);
    return made;
  }

  function visit(value: unknown, place: Place): void {
    if (typeof value === "string") {
      if (place.count++ === 0) places.push(place);
      if (place.example === "" || (!MAY_BE_ENTRY.test(place.example) && MAY_BE_ENTRY.test(value))) {
        place.example = shorten(value.trim());
      }
    } else if (Array.isArray(value)) {
      const elements = placeIn(place, "[]", `${place.path}[]`);
      for (const each of value) visit(each, elements);
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        const isOne = place.inside.size < MOST_NAMES && !IDENTIFIER.test(name);
        const step = isOne ? name : "*";
        visit(
          value[name],
          placeIn(place, `.${step}`, place.path === "" ? step : `${place.path}.${step}`),
        );
      }
    }
  }

  const root: Place = { path: "", inside: new Map(), count: 0, example: "" };
  for (const value of roots) visit(value, root);
  const isInArray = ({ path }: Place) => Number(/\[\]|\*/.test(path));
  return places
    .filter(({ example }) => MAY_BE_ENTRY.test(example))
    .sort((a, b) => isInArray(b) - isInArray(a) || b.count - a.count);
}

/** Objects and arrays that are nested more deeply are refused. */
export const MAX_DEPTH = 100;

/** What JSON says, or why it cannot be read. */
type ParsedJson =
  | { readonly value: unknown; readonly problem: null }
  | { readonly problem: SyntaxError | "nested-too-deeply" | "member-repeated" };

/** Parses JSON. Of a member that an object has twice, `JSON.parse` keeps only one, so such a text is refused. */
export function parseJson(text: string): ParsedJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: error };
    throw error;
  }
  const kept = countMembers(value, 0);
  if (Number.isNaN(kept)) return { problem: "nested-too-deeply" };
  return kept === membersInText(text) ? { value, problem: null } : { problem: "member-repeated" };
}

/** The number of members of all objects in a value; `NaN` if they are nested too deeply. */
function countMembers(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth === MAX_DEPTH) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) count += countMembers(each, depth + 1);
    return count;
  }
  for (const name of Object.keys(value)) {
    count += 1 + countMembers((value as Fields)[name], depth + 1);
  }
  return count;
}

const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;

/** The number of strings in valid JSON that a colon follows. */
function membersInText(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    do at = text.indexOf('"', at + 1);
    while (isEscaped(text, at));
    while (text.charCodeAt(++at) <= SPACE);
    if (text.charCodeAt(at) === COLON) count++;
  }
  return count;
}

function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (index - start) % 2 === 1;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and no array. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const SHOWN = 100;

/** The beginning of a value, for messages. */
export function beginningOf(value: unknown): string {
  if (typeof value === "string") return value.slice(0, SHOWN);
  if (typeof value !== "object" || value === null) return String(value);
  let text = "";
  const isArray = Array.isArray(value);
  // A record may be long, and only its first members are shown.
  for (const [name, each] of Object.entries(value)) {
    const isInside = typeof each === "object" && each !== null;
    const shown = isInside ? (Array.isArray(each) ? "[…]" : "{…}") : JSON.stringify(each);
    text += `${text === "" ? "" : ","}${isArray ? "" : `${JSON.stringify(name)}:`}${shown}`;
    if (text.length > SHOWN) break;
  }
  return (isArray ? `[${text}]` : `{${text}}`).slice(0, SHOWN);
}
