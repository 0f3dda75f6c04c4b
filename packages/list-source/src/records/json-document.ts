import { isDefanged } from "@x/canon/defanged";
import { DEFANGED_URLS, ListSourceError } from "../error.ts";
import type { Output, ParserOptions } from "../formats/format.ts";
import { refuseForeignMembers } from "../recognize/other-software.ts";
import { quoted } from "../text.ts";
import { type Candidate, columnUnknown, entryTest } from "./candidates.ts";
import { candidatePlaces } from "./json-places.ts";
import {
  beginningOf,
  ELEMENT,
  fieldNames,
  isObject,
  isPath,
  parsePath,
  readJsonRows,
} from "./json-rows.ts";
import { knownDocument } from "./known-layouts.ts";
import { recordReader } from "./record-reader.ts";
import { attributesOf, indicatorsOf, readMisp, readStix } from "./threat-reports.ts";
import type { Where } from "./where.ts";

/**
 * Reads the entries of a whole JSON document. Returns the path of the entries. The number of the line is the number of
 * the record.
 *
 * @throws ListSourceError `json-document` for text that is not JSON, `column-missing` or `column-ambiguous` when it is
 * not clear where the entries are, `rows-unclear` when it is not clear which records are entries, `foreign-format` for
 * a document of another program.
 */
export function readJsonDocument(text: string, output: Output, options: ParserOptions): string {
  const document = parse(text);
  const column = options.column === undefined ? null : String(options.column);
  if (column === null) {
    const objects = indicatorsOf(document);
    if (objects !== null) return readStix(objects, output);
    const attributes = attributesOf(document);
    if (attributes !== null) return readMisp(attributes, output);
    refuseForeignMembers(beginningsIn(document).names);
  }
  const known = knownDocument((path) => recordsAt(document, path));
  const isKnown = known !== null && (column === null || column === known.path);
  const path = isKnown ? known.path : pathOf(document, column, output);
  const where = options.where ?? (isKnown ? known.where : null);
  if (readPath(document, path, output, where, options.maxCharacters) > 0) return path;
  const found = `a JSON document with nothing at ${quoted(path)}`;
  throw columnUnknown("column-missing", found, candidatesIn(document, output), PATH);
}

/** Reads the values of a path. Returns their number, including refused ones. */
function readPath(
  document: unknown,
  path: string,
  output: Output,
  where: Where | null,
  maxCharacters: number,
): number {
  const fields = fieldNames();
  const records = recordReader(output, { names: fields.names, own: -1, where, maxCharacters });
  /** Whether records may be left out, and shown. */
  const isFiltered = where !== null && where.length > 0;
  let found = 0;
  readJsonRows(
    document,
    parsePath(path),
    { fields: where?.length === 0 ? null : fields, isRecord: false },
    {
      row(entry, values, record) {
        output.at(++found);
        records.row(entry, values, isFiltered ? beginningOf(record) : "");
      },
      refuse(code, shown) {
        output.at(++found);
        records.refuse(code, beginningOf(shown));
      },
    },
  );
  if (found > 0) records.end();
  return found;
}

const PATH = "the path of the entries as the column";
/** The path in a document that is an array of texts, and so a plain list. */
const TEXTS = "[]";

const candidatesIn = (document: unknown, output: Output) =>
  candidatePlaces([document], entryTest(output));

/**
 * The path of the entries: the path that was named, the only place whose last member has the name, or the array that is
 * the whole document, if it has only texts.
 */
function pathOf(document: unknown, column: string | null, output: Output): string {
  if (column !== null && isPath(column)) return column;
  const candidates = candidatesIn(document, output);
  const isNamed = ({ path }: Candidate) =>
    parsePath(path).findLast((step) => step !== ELEMENT) === column;
  const found = column === null ? candidates : candidates.filter(isNamed);
  const [only] = found;
  if (found.length > 1) {
    const what =
      column === null ? "places that may have the entries" : `fields named ${quoted(column)}`;
    const one = "the path of one of them as the column";
    throw columnUnknown("column-ambiguous", `a JSON document with several ${what}`, found, one);
  }
  if (column !== null) {
    if (only !== undefined) return only.path;
    const what = `a JSON document without URLs or hosts in ${quoted(column)}`;
    throw columnUnknown("column-missing", what, candidates, PATH);
  }
  if (only?.path === TEXTS) return TEXTS;
  if (only === undefined) refuseUnnamed(document, output);
  throw columnUnknown("column-missing", "a JSON document", candidates, PATH);
}

/** Refuses a document whose URLs or hosts are where no path leads. @throws ListSourceError */
function refuseUnnamed(document: unknown, output: Output): void {
  const { texts, names, rows } = beginningsIn(document);
  const isEntry = entryTest(output);
  if (texts.some(isDefanged)) throw new ListSourceError("format-unknown", DEFANGED_URLS);
  if (rows.some((row) => row.some(isEntry))) {
    const expected = "records with names, or a table in CSV";
    throw new ListSourceError("column-missing", "a JSON document of rows without names", expected);
  }
  if (names.some(isEntry)) {
    const found = "a JSON document in which URLs or hosts are names of members";
    throw new ListSourceError("column-missing", found, "URLs or hosts as values");
  }
}

const MOST_SEEN = 100;

/** The first texts in a document, names of members, and arrays in arrays. */
function beginningsIn(document: unknown) {
  const texts: string[] = [];
  const names: string[] = [];
  const rows: string[][] = [];
  (function visit(value: unknown, isInArray: boolean): void {
    if (texts.length + names.length + rows.length >= MOST_SEEN) return;
    if (typeof value === "string") texts.push(value);
    if (typeof value !== "object" || value === null) return;
    const isArray = Array.isArray(value);
    if (!isArray) names.push(...Object.keys(value).slice(0, MOST_SEEN));
    else if (isInArray) rows.push(value.filter((each) => typeof each === "string"));
    for (const each of Object.values(value)) visit(each, isArray);
  })(document, false);
  return { texts, names, rows };
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

/** Parses a document. @throws ListSourceError */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (!/[\]}]\s*$/.test(text.slice(-100))) {
      const found = "a JSON document that ends too early";
      throw new ListSourceError("json-document", found, undefined, error);
    }
    const [, index] = /position (\d+)/.exec(error.message) ?? [];
    const line = index === undefined ? null : text.slice(0, Number(index)).split("\n").length;
    throw new ListSourceError(
      "json-document",
      `JSON with a mistake${line === null ? "" : ` in line ${line.toLocaleString("en")}`}`,
      "a valid JSON document, or one JSON object per line",
      error,
    );
  }
}
