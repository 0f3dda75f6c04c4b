import { isDefanged } from "@x/canon/defanged";
import { ListSourceError } from "../error.ts";
import type { Output, ParserOptions } from "../formats/format.ts";
import { DEFANGED_URLS } from "../recognize/defanged.ts";
import { foreignDocument } from "../recognize/other-software.ts";
import { shorten } from "../shorten.ts";
import {
  type Candidate,
  candidatesText,
  columnMissing,
  entryTest,
  likelyFirst,
} from "./candidates.ts";
import { candidatePlaces } from "./json-places.ts";
import { beginningOf, fieldNames, readJsonRows } from "./json-rows.ts";
import { knownDocument } from "./known-layouts.ts";
import { attributesOf, readMisp } from "./misp.ts";
import { ELEMENT, isPath, parsePath } from "./path.ts";
import { recordReader } from "./record-reader.ts";
import { indicatorsOf, readStix } from "./stix.ts";
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
    const foreign = foreignDocument(document);
    if (foreign !== null) throw foreign;
  }
  const known = knownDocument((path) => recordsAt(document, path));
  const isKnown = known !== null && (column === null || column === known.column);
  const path = isKnown ? known.column : pathOf(document, column, output);
  const where = options.where ?? (isKnown ? known.where : null);
  if (readPath(document, path, output, where, options.maxCharacters) > 0) return path;
  throw nothingAt(document, path, output);
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

/**
 * The path of the entries: the path that was named, the only place whose last member has the name, or or the
 * array that is the whole document, if it has only texts.
 */
function pathOf(document: unknown, column: string | null, output: Output): string {
  if (column !== null && isPath(column)) return column;
  const candidates = candidatePlaces([document], entryTest(output));
  if (column === null) {
    const [only] = candidates;
    if (candidates.length === 1 && only!.path === TEXTS) return TEXTS;
    throw unnamed(document, candidates);
  }
  const named = candidates.filter(
    ({ path }) => parsePath(path).findLast((step) => step !== ELEMENT) === column,
  );
  if (named.length === 1) return named[0]!.path;
  const what = JSON.stringify(shorten(column));
  if (named.length > 1) throw ambiguous(named, `fields named ${what}`);
  throw columnMissing(
    `a JSON document without URLs or hosts in ${what}`,
    candidates,
    "the path of the entries as the column",
  );
}

/** The path in a document that is an array of texts, and so a plain list. */
const TEXTS = "[]";

function unnamed(document: unknown, candidates: readonly Candidate[]): ListSourceError {
  if (candidates.length > 1) return ambiguous(candidates, "places that may have the entries");
  const areDefanged = candidates.length === 0 && stringsOf(document).some(isDefanged);
  return areDefanged
    ? new ListSourceError("format-unknown", DEFANGED_URLS, "the URLs themselves")
    : columnMissing("a JSON document", candidates, "the path of the entries as the column");
}

function nothingAt(document: unknown, path: string, output: Output): ListSourceError {
  const candidates = candidatePlaces([document], entryTest(output));
  const found = `a JSON document with nothing at ${JSON.stringify(shorten(path))}`;
  return columnMissing(found, candidates, "the path of the entries as the column");
}

function ambiguous(candidates: readonly Candidate[], what: string): ListSourceError {
  const [{ path }] = likelyFirst(candidates) as [Candidate];
  return new ListSourceError(
    "column-ambiguous",
    `a JSON document with several ${what}: ${candidatesText(candidates)}`,
    `the path of one of them as the column, such as ${JSON.stringify(shorten(path))}`,
  );
}

const MOST_STRINGS = 100;

/** The first strings in a document. */
function stringsOf(document: unknown): readonly string[] {
  const found: string[] = [];
  (function visit(value: unknown): void {
    if (found.length === MOST_STRINGS) return;
    if (typeof value === "string") found.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  })(document);
  return found;
}

/** The records whose field a path names; the document itself if the path names one of its members. */
function* recordsAt(document: unknown, path: string): Iterable<unknown> {
  const steps = parsePath(path);
  const last = steps.findLastIndex((step) => typeof step === "string");
  yield* (function* visit(value: unknown, at: number): Iterable<unknown> {
    if (at === last) yield value;
    else if (steps[at] === ELEMENT && Array.isArray(value))
      for (const each of value) yield* visit(each, at + 1);
    else if (
      steps[at] !== ELEMENT &&
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value)
    ) {
      for (const each of Object.values(value)) yield* visit(each, at + 1);
    } else yield null;
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
      throw new ListSourceError("json-document", found, "a whole document", error);
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
