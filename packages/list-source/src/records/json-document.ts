import { ListSourceError } from "../error.ts";
import type { Output, ParserOptions } from "../formats/format.ts";
import { refuseForeignMembers } from "../recognize/other-software.ts";
import { quoted } from "../text.ts";
import { columnUnknown, entryTest } from "./candidates.ts";
import { candidatePlaces } from "./json-places.ts";
import {
  beginningOf,
  ELEMENT,
  fieldNames,
  isObject,
  parsePath,
  readJsonRows,
} from "./json-rows.ts";
import { knownDocument } from "./known-layouts.ts";
import { MAX_DEPTH, parseJson } from "./parse-json.ts";
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
  const document = parseDocument(text);
  const { column, maxCharacters } = options;
  if (column === undefined) {
    const objects = indicatorsOf(document);
    if (objects !== null) return readStix(objects, output);
    const attributes = attributesOf(document);
    if (attributes !== null) return readMisp(attributes, output);
    refuseForeignMembers(document);
  }
  const known = knownDocument((path) => recordsAt(document, path));
  const path = String(column ?? known?.path ?? TEXTS);
  const where = options.where ?? (path === known?.path ? known.where : null);
  const isNamed = column !== undefined || known !== null || isList(document);
  if (isNamed && readPath(document, path, output, where, maxCharacters) > 0) return path;
  const missing = column === undefined ? "" : ` with nothing at ${quoted(path)}`;
  const found = `a JSON document${missing}`;
  const candidates = candidatePlaces([document], entryTest(output));
  throw columnUnknown("column-missing", found, candidates, "the path of the entries as the column");
}

/** The path in a document that is an array of texts, and so a plain list. */
const TEXTS = "[]";

const isList = (document: unknown): boolean =>
  Array.isArray(document) && document.every((each) => typeof each === "string");

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

/** @throws ListSourceError `json-document` */
function parseDocument(text: string): unknown {
  const parsed = parseJson(text);
  const { problem } = parsed;
  if (problem === null) return parsed.value;
  const expected = "a valid JSON document, or one JSON object per line";
  if (problem === "member-repeated") {
    const found = "a JSON document in which an object has a member twice";
    throw new ListSourceError("json-document", found, "each member once");
  }
  if (problem === "nested-too-deeply") {
    const found = "a JSON document with too many objects and arrays inside each other";
    throw new ListSourceError("json-document", found, `at most ${MAX_DEPTH}`);
  }
  if (!/[\]}]\s*$/.test(text.slice(-100))) {
    const found = "a JSON document that ends too early";
    throw new ListSourceError("json-document", found, undefined, problem);
  }
  const [, index] = /position (\d+)/.exec(problem.message) ?? [];
  const line = index === undefined ? null : text.slice(0, Number(index)).split("\n").length;
  const where = line === null ? "" : ` in line ${line.toLocaleString("en")}`;
  throw new ListSourceError("json-document", `JSON with a mistake${where}`, expected, problem);
}
