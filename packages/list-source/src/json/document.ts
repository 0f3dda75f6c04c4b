import { ListSourceError } from "../error.ts";
import { isEntryName, isListName } from "../formats/parts/columns.ts";
import { hasMeaning } from "../formats/parts/record-verdicts.ts";
import { DEFANGED_URLS, looksDefanged } from "../recognize/defanged.ts";
import { shorten } from "../shorten.ts";
import { readMisp } from "./misp.ts";
import { ELEMENT, formatPath, isPath, type PathStep, parsePath } from "./path.ts";
import { MOST_NAMES, memberOf, type Place, stepsTo } from "./place.ts";
import { MAX_DEPTH } from "./scan.ts";
import {
  type DocumentOutput,
  readJsonPath,
  readSelected,
  SHOWN,
  type UsualField,
} from "./selected.ts";
import { readStix } from "./stix.ts";
import { type Candidate, type JsonSurvey, surveyJson } from "./survey.ts";
import type { JsonProblem } from "./tokens.ts";

/**
 * Reads the entries of a whole JSON document. Returns the path of the entries; `null` when the document only reports an
 * error.
 *
 * @throws ListSourceError `json-document` for text that is not JSON, `column-missing` or `column-ambiguous` when it is
 * not clear where the entries are, `allow-list` or `foreign-format` for a document that is not a blocklist.
 */
export function readJsonDocument(
  text: string,
  output: DocumentOutput,
  column: string | number | undefined,
): string | null {
  const survey = surveyJson(text, output.accepts);
  if (survey.problem !== null) throw notJson(text, survey.problem);
  if (column !== undefined && isPath(String(column))) {
    return readPath(text, output, parsePath(String(column)), survey);
  }
  if (column === undefined) {
    const { foreign, profile, errorIndex } = survey;
    if (foreign !== null) {
      throw new ListSourceError(foreign.code, foreign.found, "a list of what is blocked");
    }
    if (errorIndex >= 0) {
      output.at(errorIndex);
      output.refuse("json-error", text.slice(errorIndex, errorIndex + SHOWN));
      return null;
    }
    if (profile === "stix") return readStix(text, output);
    if (profile === "misp") return readMisp(text, output);
  }
  const chosen = column === undefined ? choose(survey, output) : find(String(column), survey);
  // The verdict of a document that is itself the record counts like that of any other record.
  const isOneRecord = recordWith(chosen).record?.parent === null;
  if (column === undefined && survey.isAllowList && !isOneRecord) {
    throw new ListSourceError(
      "allow-list",
      "a JSON document that says that it names what is allowed",
      `a list of what is blocked, or ${pathText(stepsTo(chosen))} as the column if it is blocked`,
    );
  }
  for (const { steps, count, example, rank, isAllowing, place } of survey.candidates) {
    const isUnread = isAllowing || (column === undefined && isOtherList(place, rank, chosen));
    if (!isUnread || place === chosen) continue;
    output.at(0);
    output.notApplicable(`${formatPath(steps)}: ${valuesText(count, example)}`);
  }
  return readPlace(text, output, chosen, column === undefined);
}

/**
 * Reads the values at a place that the survey found. Returns its path, or that of another field that is read instead.
 *
 * @param isUsual whether the place was chosen because its name is usual.
 */
function readPlace(text: string, output: DocumentOutput, chosen: Place, isUsual: boolean): string {
  const { record, field } = recordWith(chosen);
  const entries = record === null ? chosen : null;
  const around = recordsAround(record ?? chosen);
  const pathOf = (name: string) => formatPath([...stepsTo(record!), name]);
  let path = formatPath(stepsTo(chosen));
  const usual: UsualField = {
    pathOf,
    reads(name) {
      output.severalColumns([pathOf(name), path]);
      path = pathOf(name);
    },
  };
  readSelected<Place | null>(text, output, {
    root: rootOf(chosen),
    member: (at, name) => at && memberOf(at, name),
    element: (at) => at?.elements ?? null,
    fieldAt: (at) => (at !== null && at === record ? field : null),
    isEntryAt: (at) => at !== null && at === entries,
    stepInside: around.size > 0 ? (at) => (at && around.get(at)) ?? null : null,
    usual: isUsual ? usual : null,
  });
  return path;
}

/** Reads the values of a path that the caller named. */
function readPath(
  text: string,
  output: DocumentOutput,
  steps: readonly PathStep[],
  survey: JsonSurvey,
): string {
  const path = formatPath(steps);
  if (readJsonPath(text, output, steps, survey.roots > 1) > 0) return path;
  throw columnMissing(`a JSON document without ${JSON.stringify(path)}`, survey);
}

const rootOf = (place: Place): Place => (place.parent === null ? place : rootOf(place.parent));

/** The record that contains a place, and the name of its field; `null` for an element of a list. */
function recordWith(place: Place): { record: Place | null; field: string | null } {
  const field = place.step === ELEMENT ? place.parent : place;
  const isField = typeof field?.step === "string" && field.parent !== null;
  // At the root of a document, a list may be so long that it is read element by element.
  const isList = place.step === ELEMENT && isField && field.parent!.parent === null;
  if (!isField || (isList && stepsTo(place).length === 2)) return { record: null, field: null };
  return { record: field.parent, field: field.step as string };
}

/**
 * The places of records that contain a place, and the next step from each: their objects are elements of an array, or
 * have identifiers as names.
 */
function recordsAround(place: Place): ReadonlyMap<Place, PathStep> {
  const around = new Map<Place, PathStep>();
  for (let inner = place; inner.parent !== null; inner = inner.parent) {
    const { parent, step } = inner;
    const isRecord = parent.parent !== null && typeof parent.step !== "string";
    if (isRecord && step !== ELEMENT && mayHaveMeaning(parent, step)) around.set(parent, step);
  }
  return around;
}

/** Whether the records at a place may have a verdict beside the member `step`. */
function mayHaveMeaning({ members }: Place, step: PathStep): boolean {
  if (members === null || members.size >= MOST_NAMES) return true;
  return [...members.keys()].some((name) => name !== step && hasMeaning(name));
}

/** Whether a place is a list with an unusual name, outside the records that are read. */
function isOtherList(place: Place, rank: number, chosen: Place): boolean {
  if (rank >= 0 || place.step !== ELEMENT) return false;
  const { record } = recordWith(chosen);
  for (let at: Place | null = place; record !== null && at !== null; at = at.parent) {
    if (at === record) return false;
  }
  return true;
}

/** The place with the entries, if the document leaves no doubt about it. */
function choose(survey: JsonSurvey, output: DocumentOutput): Place {
  const usable = survey.candidates
    .filter(({ rank, isAllowing }) => rank >= 0 && !isAllowing)
    .toSorted((a, b) => a.rank - b.rank);
  const several = usable.filter(
    ({ steps }) => survey.roots > 1 || steps.some((step) => typeof step !== "string"),
  );
  if (several.length === 0) {
    const own = usable.find((candidate) => isLoneRecord(survey, candidate));
    if (own !== undefined) return own.place;
    throw nothingUsual(survey);
  }
  const [best] = several;
  // An object with an entry of its own may be one record, with lists about this entry, such as its screenshots.
  const [first] = best!.steps;
  const isUnclear = typeof first === "string" && !isListName(first) && survey.roots === 1;
  const own = isUnclear ? usable.filter(({ steps }) => steps.length === 1) : [];
  const { record } = recordWith(best!.place);
  const isOneRecord =
    record !== null && several.every(({ place }) => recordWith(place).record === record);
  const isOne = new Set(several.map(({ place }) => fieldOf(place))).size === 1;
  if ((!isOne && !isOneRecord) || own.length > 0) {
    throw new ListSourceError(
      "column-ambiguous",
      `a JSON document with several ${own.length > 0 ? "places for entries" : "lists"}: ${candidatesText([...several, ...own])}`,
      `the path of one of them as the column, such as ${pathText(best!.steps)}`,
    );
  }
  const columns = [...new Set(several.map(({ place }) => fieldOf(place)))];
  if (columns.length > 1) {
    output.at(0);
    output.severalColumns(columns.map((place) => formatPath(stepsTo(place))));
  }
  return best!.place;
}

/** The field that contains a place, if its values are the elements of an array; otherwise the place itself. */
function fieldOf(place: Place): Place {
  const { step, parent } = place;
  return step === ELEMENT && parent !== null && parent.parent !== null ? parent : place;
}

/** Names of members that only the envelope of a server's answer has. */
const ENVELOPE =
  /^(?:data|results?|items?|entries|list|records?|payload|count|total|version|generated|page|next)$/;
/** Whether a document without lists is one record, whose own field has the entry. */
function isLoneRecord({ rootNames, roots }: JsonSurvey, { steps }: Candidate): boolean {
  const isEntry = typeof steps[0] === "string" && isEntryName(steps[0]);
  return (
    roots === 1 &&
    isEntry &&
    steps.length === 1 &&
    ![...rootNames].some((name) => ENVELOPE.test(name))
  );
}

/** The place of the only field with this name. Exact matches and fields outside exceptions are preferred. */
function find(name: string, survey: JsonSurvey): Place {
  const named = survey.places.filter((place) => {
    const { step } = fieldOf(place);
    return typeof step === "string" && step.toLowerCase() === name.toLowerCase();
  });
  const exact = named.filter((place) => fieldOf(place).step === name);
  const all = exact.length > 0 ? exact : named;
  const open = all.filter(({ isAllowing }) => !isAllowing);
  const found = open.length > 0 ? open : all;
  if (found.length === 0) {
    throw columnMissing(`a JSON document without ${JSON.stringify(shorten(name))}`, survey);
  }
  const fields = new Set(found.map(fieldOf));
  if (fields.size === 1) return found[0]!;
  const paths = [...fields].slice(0, MOST_SHOWN).map((place) => pathText(stepsTo(place)));
  throw new ListSourceError(
    "column-ambiguous",
    `a JSON document with several fields of this name: ${paths.join(", ")}`,
    "the path of one of them as the column",
  );
}

/** The maximum number of candidates in a message. */
const MOST_SHOWN = 5;

function pathText(steps: readonly PathStep[]): string {
  return JSON.stringify(shorten(formatPath(steps)));
}

function valuesText(count: number, example: string): string {
  const values = count === 1 ? "1 value" : `${count.toLocaleString("en")} values`;
  return `${values}, such as ${JSON.stringify(example)}`;
}

function candidatesText(candidates: readonly Candidate[]): string {
  const shown = candidates
    .slice(0, MOST_SHOWN)
    .map(({ steps, count, example }) => `${pathText(steps)} (${valuesText(count, example)})`);
  const more = candidates.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? `, and ${more.toLocaleString("en")} more` : ""}`;
}

function nothingUsual(survey: JsonSurvey): ListSourceError {
  const { candidates, places } = survey;
  if (candidates.length > 0 && candidates.every(({ isAllowing }) => isAllowing)) {
    return new ListSourceError(
      "allow-list",
      `a JSON document that only names exceptions: ${candidatesText(candidates)}`,
      "a list of what is blocked, or one of these paths as the column if it is blocked",
    );
  }
  const defanged = places.some(({ sample }) => sample !== null && looksDefanged(sample));
  if (candidates.length === 0 && defanged) {
    return new ListSourceError("format-unknown", DEFANGED_URLS, "the URLs themselves");
  }
  return columnMissing("a JSON document with the entries in an unusual place", survey);
}

function columnMissing(found: string, survey: JsonSurvey): ListSourceError {
  const { hostName } = survey;
  const candidates = survey.candidates.filter(({ isAllowing }) => !isAllowing);
  const [first] = candidates;
  if (first === undefined && hostName !== null) {
    return new ListSourceError(
      "column-missing",
      `a JSON document whose names are hosts, such as ${JSON.stringify(hostName)}`,
      "entries as values: in an array, or in a field of each record",
    );
  }
  if (first === undefined) {
    const found = "a JSON document without URLs or hosts";
    return new ListSourceError("column-missing", found, "a list with entries");
  }
  const isList = candidates.some(({ steps }) => steps.some((step) => typeof step !== "string"));
  return new ListSourceError(
    "column-missing",
    `${isList ? found : "a single JSON object, and not a list"}; it has ${candidatesText(candidates)}`,
    `${isList ? "" : "a list of entries, or "}the path of the entries as the column, such as ${pathText(first.steps)}`,
  );
}

function notJson(text: string, { kind, index }: JsonProblem): ListSourceError {
  let line = 1;
  for (let i = text.indexOf("\n"); i >= 0 && i < index; i = text.indexOf("\n", i + 1)) line++;
  const place = `line ${line.toLocaleString("en")}`;
  if (kind === "cut") {
    const found = `a JSON document that ends too early, in ${place}`;
    return new ListSourceError("json-document", found, "a whole document");
  }
  if (kind === "deep") {
    const found = `a JSON document with too many objects and arrays inside each other, in ${place}`;
    return new ListSourceError("json-document", found, `at most ${MAX_DEPTH}`);
  }
  const near = JSON.stringify(shorten(text.slice(index, index + 30)));
  return new ListSourceError(
    "json-document",
    `JSON with a mistake in ${place}, at ${near}`,
    "a valid JSON document, or one JSON object per line",
  );
}
