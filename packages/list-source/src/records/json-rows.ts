import type { RefusalCode } from "../refusal.ts";

/*
 * A path says where the entries of a JSON document are: `data[].url` is the member `url` of each element of the array
 * `data`. `[]` stands for each element of an array, and `*` for any name, such as the identifiers of records.
 */

/** A step of a path: the name of a member, each element of an array, or any member. */
export type PathStep = string | typeof ELEMENT | typeof ANY;
export const ELEMENT: unique symbol = Symbol("[]");
export const ANY: unique symbol = Symbol("*");

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
export function formatPath(steps: readonly PathStep[]): string {
  return steps
    .map((step, i) => {
      if (step === ELEMENT) return "[]";
      return `${i === 0 ? "" : "."}${step === ANY ? "*" : String(step)}`;
    })
    .join("");
}

/** Receives the values on a path. */
interface JsonRows {
  /** Receives a text, the other fields of its record, and the record. */
  row(text: string, values: readonly (string | undefined)[], record: unknown): void;
  refuse(code: RefusalCode, shown: unknown): void;
}

/** The names of the fields of records, and their indices. */
interface FieldNames {
  readonly names: string[];
  indexOf(name: string): number;
}

/** Records with more fields are unusual. Their further fields count as one. */
const MOST_FIELDS = 1000;
const OTHER_FIELDS = "…";
/** Objects that are nested more deeply in a record count as one value. */
const MAX_FIELD_DEPTH = 4;

export function fieldNames(): FieldNames {
  const names: string[] = [];
  const indices = new Map<string, number>();
  return {
    names,
    indexOf(name) {
      const known = indices.get(name);
      if (known !== undefined) return known;
      if (names.length === MOST_FIELDS && name !== OTHER_FIELDS) return this.indexOf(OTHER_FIELDS);
      indices.set(name, names.length);
      names.push(name);
      return names.length - 1;
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and no array. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Values = readonly (string | undefined)[];

/**
 * Reads the values of a path. Fields are named relative to the outermost record, which is an element of an array, or a
 * member with an identifier as its name.
 *
 * @param fields `null` if the other fields of records do not matter.
 * @param isRecord whether the value itself is a record, as in JSON lines.
 */
export function readJsonRows(
  root: unknown,
  steps: readonly PathStep[],
  { fields, isRecord }: { readonly fields: FieldNames | null; readonly isRecord: boolean },
  output: JsonRows,
): void {
  const first = steps.findIndex((step) => step === ELEMENT || step === ANY) + 1;
  const outermost = steps.findIndex((step, at) => at >= first && typeof step === "string");
  const start = isRecord ? 0 : outermost;
  const prefixes = steps.map((_, at) => formatPath(steps.slice(start, at)));

  function visit(value: unknown, at: number, values: Values, record: unknown) {
    const step = steps[at];
    if (step === undefined) return readValue(value, values, record);
    const isInRecord = isRecord || (first > 0 && at >= first);
    if (step === ELEMENT && Array.isArray(value)) {
      for (const each of value) visit(each, at + 1, values, each);
      return;
    }
    if (step === ANY && isObject(value)) {
      for (const [name, each] of Object.entries(value)) {
        visit(each, at + 1, withField(values, formatPath(steps.slice(start, at + 1)), name), each);
      }
    } else if (typeof step === "string" && isObject(value) && Object.hasOwn(value, step)) {
      const isRecorded = isInRecord && fields !== null;
      const all = isRecorded ? addFields(value, prefixes[at]!, step, 0, [...values]) : values;
      visit(value[step], at + 1, all, record);
    } else if (isInRecord) output.refuse("field-missing", value);
  }

  function withField(values: Values, name: string, value: string): Values {
    if (fields === null) return values;
    const all = [...values];
    all[fields.indexOf(name === "" ? "*" : name)] = value;
    return all;
  }

  function addFields(
    object: Fields,
    prefix: string,
    skipped: string | null,
    depth: number,
    to: (string | undefined)[],
  ): Values {
    for (const name of Object.keys(object)) {
      if (name === skipped) continue;
      const value = object[name];
      const path = prefix === "" ? name : `${prefix}.${name}`;
      if (isObject(value) && depth < MAX_FIELD_DEPTH) {
        addFields(value, path, null, depth + 1, to);
      } else to[fields!.indexOf(path)] = textOf(value);
    }
    return to;
  }

  function readValue(value: unknown, values: Values, record: unknown): void {
    if (Array.isArray(value) && value.length === 0) output.refuse("field-empty", record);
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each !== "string" || each.trim() === "") output.refuse("field-empty", record);
      else if (each.includes("\ufffd")) output.refuse("not-utf-8", each);
      else output.row(each.trim(), values, record);
    }
  }

  visit(root, 0, [], root);
}

function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  const isFlat = Array.isArray(value) && value.every((each) => typeof each !== "object");
  return isFlat ? value.join(", ") : JSON.stringify(value);
}

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
