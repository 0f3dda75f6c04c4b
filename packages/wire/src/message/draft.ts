import { WireError } from "../error.ts";
import { MAX_ELEMENTS, type MessageLimits, maxValuesOf } from "./limits.ts";
import {
  type AnyType,
  emptyRecord,
  joinPath,
  type MessageType,
  type NamedField,
  tableOf,
  UNKNOWN,
} from "./message-type.ts";

/** A message of any format while it is being read. */
export interface Draft {
  readonly type: AnyType;
  readonly record: Record<string, unknown>;
  /** The path of this message within the whole message. */
  readonly path: string;
  /** The numbers of repeated-field elements and of values that the whole message may still have. */
  readonly budget: { elements: number; values: number };
  /** Whether an enumeration had a value without a name. */
  sawUnknown: boolean;
}

export function newDraft(type: AnyType, limits: MessageLimits = {}): Draft {
  const budget = { elements: MAX_ELEMENTS, values: maxValuesOf(limits) };
  return { type, record: emptyRecord(type), path: "", budget, sawUnknown: false };
}

/** The draft of a nested message. `record` contains the parts of the nested message that were read before. */
export function innerDraft(outer: Draft, named: NamedField, record?: unknown): Draft {
  if (named.field.repeated) takeElement(outer, named);
  const type = named.field.type!;
  return {
    type,
    record: (record ?? emptyRecord(type)) as Record<string, unknown>,
    path: joinPath(outer.path, named.name),
    budget: outer.budget,
    sawUnknown: false,
  };
}

function takeElement({ budget, path }: Draft, { name }: NamedField): void {
  if (budget.elements-- === 0) throw new WireError("too-many-elements", joinPath(path, name));
}

/** Counts values before they are read, and throws when the message has too many. */
export function takeValues({ budget }: Draft, count = 1): void {
  budget.values -= count;
  if (budget.values < 0) throw new WireError("too-many-values");
}

/** Sets a field to a value that is not a message, or adds the value to a repeated field. */
export function putValue(draft: Draft, named: NamedField, value: unknown): void {
  const { name, field } = named;
  // The numbers in lists of removal indices do not count as elements, because such lists may be longer.
  if (field.repeated && field.kind !== "int32") takeElement(draft, named);
  if (value === UNKNOWN) draft.sawUnknown = true;
  if (!field.repeated) draft.record[name] = value === UNKNOWN ? null : value;
  else if (value !== UNKNOWN) (draft.record[name] as unknown[]).push(value);
}

/** Sets a field to a nested message, or adds the message to a repeated field if it should be kept. */
export function putMessage({ record }: Draft, { name, field }: NamedField, inner: Draft): void {
  if (!field.repeated) record[name] = inner.record;
  else if (isKept(inner)) (record[name] as unknown[]).push(inner.record);
}

/**
 * Whether an element of a repeated field is kept. Elements of some types are dropped when one of their enumerations has
 * no value or an unknown one.
 */
function isKept({ type, record, sawUnknown }: Draft): boolean {
  if (!type.knownOnly) return true;
  const lacksName = tableOf(type).all.some(
    ({ name, field }) => field.kind === "enum" && record[name] === null,
  );
  return !sawUnknown && !lacksName;
}

/** Checks the record of a whole message against the rules of its protocol, and returns the record. */
export function finishDraft<Message>(type: MessageType<Message>, { record }: Draft): Message {
  checkRecord(type, record);
  return record as Message;
}

type Values = Readonly<Record<string, unknown>>;

/** Throws when a record breaks a rule of its protocol. The records nested in it are not checked. */
export function checkRules(type: AnyType, values: Values, path: string): void {
  if (type.oneOf !== undefined) {
    const set = type.oneOf.filter((name) => values[name as string] !== null);
    if (set.length > 1) throw new WireError("fields-conflict", joinPath(path, String(set[1])));
  }
  const problem = type.check?.(values) ?? null;
  if (problem !== null) throw new WireError(problem[0], joinPath(path, problem[1]));
}

/** Throws when a record, or a record nested in it, breaks a rule of its protocol. */
function checkRecord(type: AnyType, values: Values, path: string = ""): void {
  for (const { name, field } of tableOf(type).messages) {
    const value = values[name];
    const at = joinPath(path, name);
    if (field.repeated) {
      for (const each of value as readonly Values[]) checkRecord(field.type!, each, at);
    } else if (value !== null) checkRecord(field.type!, value as Values, at);
  }
  checkRules(type, values, path);
}
