import type { Output } from "../formats/format.ts";
import { isHostAlone, mayMatter } from "../formats/parts/fuller-url.ts";
import { besideHosts } from "../formats/parts/fuller-url-in-json.ts";
import { mayReportError, reportsError } from "../formats/parts/json-error.ts";
import { hasMeaning, meaningOfRecord } from "../formats/parts/record-verdicts.ts";
import type { RefusalCode } from "../refusal.ts";
import { meaningAround, type StepInside } from "./enclosing-records.ts";
import { ANY, ELEMENT, isAllowing, type PathStep } from "./path.ts";
import { fieldsOf, parseRecord, scanJson } from "./scan.ts";
import type { JsonObject, JsonScalar, JsonValue } from "./visitor.ts";

/** Receives the entries of a document. */
export interface DocumentOutput extends Output {
  /** Called before each of the other functions, with the index of its value in the text. */
  at(index: number): void;
}

/** Callbacks for a field that was found by its usual name, because another field may be read instead. */
export interface UsualField {
  /** The path of a field. */
  pathOf(name: string): string;
  /** Called before another field is read instead for the first time. */
  reads(name: string): void;
}

/** Selects the values of a document that are entries. */
export interface Selection<At> {
  readonly root: At;
  member(at: At, name: string): At;
  element(at: At): At;
  /** The name of the field of a record with the entries; null for other objects. */
  fieldAt(at: At): string | null;
  /** Whether each value at this place is an entry by itself. */
  isEntryAt(at: At): boolean;
  /** For records around those with the entries; `null` if there are none. */
  readonly stepInside: StepInside<At> | null;
  /** Set if the field was found by its usual name, so that another field of its record may be meant. */
  readonly usual?: UsualField | null;
}

function isHost(value: JsonScalar): boolean {
  return typeof value === "string" && isHostAlone(value.trim());
}

/** Why a record has no entry in this field; `null` if it has one. */
function recordProblem(
  text: string,
  object: JsonObject,
  field: string,
): RefusalCode | "not-applicable" | null {
  const fields = fieldsOf(text, object);
  if (reportsError(fields)) return "json-error";
  const meaning = meaningOfRecord(Object.entries(fields), field);
  if (meaning !== null) return meaning;
  const member = object.members.get(field);
  if (member === undefined) return "field-missing";
  if (object.repeated.has(field)) return "field-repeated";
  return member.values === null || member.values.length === 0 ? "field-empty" : null;
}

/** Reads the selected values. Returns the number of values, including refused ones. */
export function readSelected<At>(
  text: string,
  output: DocumentOutput,
  from: Selection<At>,
): number {
  let found = 0;
  let hasWarned = false;
  const { usual = null } = from;
  const around = from.stepInside === null ? () => null : meaningAround(text, from, from.stepInside);
  /** The name of the last member, and the strings of the record that may say something about its host. */
  let name = "";
  let telling: { name: string; value: string }[] = [];

  function count(start: number): void {
    found++;
    output.at(start);
  }

  function leaveOut(why: RefusalCode | "not-applicable", shown: string, start: number): void {
    count(start);
    if (why === "not-applicable") output.notApplicable(shown);
    else output.refuse(why, shown);
  }

  function readValue({ value, start }: JsonValue): void {
    const meaning = around(start);
    if (meaning !== null) {
      leaveOut(meaning, JSON.stringify(value), start);
      return;
    }
    count(start);
    if (typeof value !== "string" || value.trim() === "") {
      output.refuse("field-empty", JSON.stringify(value));
    } else if (value.includes("\ufffd")) output.refuse("not-utf-8", value);
    else output.entry(value.trim(), "field");
  }

  /** Reads the entries of a record, unless another field leaves doubt about them. */
  function readEntries(field: string, object: JsonObject): void {
    const values = object.members.get(field)!.values!;
    const host = telling.length > 0 ? values.find(({ value }) => isHost(value)) : undefined;
    const tells = ({ name, value }: { name: string; value: string }) =>
      mayMatter(name, value, String(host!.value).trim());
    const record = host !== undefined && telling.some(tells) ? parseRecord(text, object) : null;
    const other = record && besideHosts(record, field, output.urlOf, usual!.pathOf);
    if (other === null) values.forEach(readValue);
    else if (other.doubt !== null) {
      count(object.start);
      output.refuse("column-unclear", beginningOf(text, object), 1, other.doubt);
    } else {
      output.at(object.start);
      if (!hasWarned) usual!.reads(other.name);
      hasWarned = true;
      const read = record![other.name] as JsonScalar | readonly JsonScalar[];
      for (const value of [read].flat()) readValue({ value, start: object.start });
    }
  }

  function readRecord(field: string, object: JsonObject): void {
    const problem = around(object.start) ?? recordProblem(text, object, field);
    if (problem === null) readEntries(field, object);
    else leaveOut(problem, beginningOf(text, object), object.start);
  }

  scanJson<At>(text, {
    root: from.root,
    member: from.member,
    element(at, start) {
      if (from.isEntryAt(at) || from.fieldAt(at) !== null)
        leaveOut("field-empty", "an array", start);
      return from.element(at);
    },
    keeps(at, member) {
      name = member;
      const field = from.fieldAt(at);
      return field !== null && (member === field || hasMeaning(member) || mayReportError(member));
    },
    scalar(at, value) {
      const { value: text } = value;
      if (usual !== null && typeof text === "string" && mayMatter(name, text, null)) {
        telling.push({ name, value: text });
      }
      if (from.isEntryAt(at)) readValue(value);
      else if (from.fieldAt(at) !== null) {
        leaveOut("field-missing", JSON.stringify(value.value), value.start);
      }
    },
    object(at, object) {
      const field = from.fieldAt(at);
      if (field !== null) {
        readRecord(field, object);
        telling = [];
      } else if (from.isEntryAt(at))
        leaveOut("field-empty", beginningOf(text, object), object.start);
    },
  });
  return found;
}

/** The maximum number of characters of a record in a message. */
export const SHOWN: number = 100;

function beginningOf(text: string, { start, end }: JsonObject): string {
  return text.slice(start, Math.min(end, start + SHOWN));
}

/**
 * Reads the values of a path in valid JSON. Returns the number of values, including refused ones.
 *
 * @param isRecord whether the text is a record, or several, so that a field at its root must not be missing.
 */
export function readJsonPath(
  text: string,
  output: DocumentOutput,
  steps: readonly PathStep[],
  isRecord: boolean,
): number {
  /** The number of steps that lead to a value; -1 when the value is not on the path. */
  const follow = (at: number, matches: boolean) => (at >= 0 && matches ? at + 1 : -1);
  const last = steps.findLastIndex((step) => step !== ELEMENT);
  const name = steps[last];
  const field =
    typeof name === "string" &&
    steps.length - last <= 2 &&
    (isRecord || steps.slice(0, last).some((step) => typeof step !== "string"))
      ? name
      : null;
  const stepInside = (at: number): PathStep | null => {
    const isInRecord = at === 0 ? isRecord : at > 0 && typeof steps[at - 1] !== "string";
    return isInRecord && at < last && steps[at] !== ELEMENT ? steps[at]! : null;
  };
  return readSelected<number>(text, output, {
    root: 0,
    member(at, member) {
      const step = steps[at];
      return follow(at, step === member || (step === ANY && !isAllowing(member)));
    },
    element: (at) => follow(at, steps[at] === ELEMENT),
    fieldAt: (at) => (at === last ? field : null),
    isEntryAt: (at) => field === null && at === steps.length,
    stepInside: [...steps.keys()].some((at) => stepInside(at) !== null) ? stepInside : null,
  });
}
