import { WireType } from "@bufbuild/protobuf/wire";
import type { WireErrorCode } from "../error.ts";

/*
 * A message type is a table with the number and the type of each field of a record, by name. Each format has one reader
 * and one writer that follow these tables. A message type contains no code except its checks.
 */

/** The names of an enumeration's values. If a value has two names, the first one is written. */
type EnumNames = Readonly<Record<string, number>>;

/** The number, kind and options of a field. */
export interface Field<Value> {
  readonly number: number;
  readonly kind: Kind;
  readonly repeated?: boolean;
  /** Whether zero and empty values are written, because proto2 readers check whether the field is present. */
  readonly explicit?: boolean;
  /** Whether a repeated enumeration or number is written with one tag for each value, as in proto2. */
  readonly unpacked?: boolean;
  /** The type of a nested message, if the kind is `message`. */
  // biome-ignore lint/suspicious/noExplicitAny: records of any message
  readonly type?: MessageType<any>;
  /** The values of an enumeration, if the kind is `enum`. */
  readonly names?: EnumNames;
  /** Whether an enumeration value without a name is kept as a number. */
  readonly open?: boolean;
  /** Never set. This property only tells the type checker the type of the value. */
  readonly value?: Value;
}

/** The problem with a record, and the field that has the problem. */
export type Problem = readonly [code: WireErrorCode, field: string];

/** The fields and rules of one kind of message. */
export interface MessageType<Message> {
  readonly fields: { readonly [Name in keyof Message]-?: Field<Message[Name]> };
  /** Fields that exclude each other: at most one may be set. */
  readonly oneOf?: readonly (keyof Message)[];
  /** Whether an element of a repeated field is dropped when one of its enumerations has no value or an unknown one. */
  readonly knownOnly?: boolean;
  /** Checks the rules that the field types do not express. */
  readonly check?: (message: Message) => Problem | null;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of any message
export type AnyType = MessageType<any>;

/** A field with its name, its protobuf wire type and its absent value. */
export interface NamedField {
  readonly name: string;
  readonly field: Field<unknown>;
  readonly wireType: WireType;
  /** The value of an absent field in a record; `undefined` if each record has its own empty array. */
  readonly absent: unknown;
}

/** The fields of a message, prepared for reading and writing. */
interface FieldTable {
  /** The fields in the order of the record. */
  readonly all: readonly NamedField[];
  /** The fields by both names that ProtoJSON allows, such as `maxUpdateEntries` and `max_update_entries`. */
  readonly byName: ReadonlyMap<string, NamedField>;
  /** The fields by tag; see {@link tagOf}. Repeated numbers and enumerations have a second tag when packed. */
  readonly byTag: ReadonlyMap<number, NamedField>;
  /** The fields in the order of their numbers, in which they are encoded. */
  readonly byNumber: readonly NamedField[];
  /** The fields that are messages. */
  readonly messages: readonly NamedField[];
}

const tables = new WeakMap<AnyType, FieldTable>();

/** The fields of a message type, which are prepared once for each type. */
export function tableOf(type: AnyType): FieldTable {
  let table = tables.get(type);
  if (table === undefined) {
    const all = Object.keys(type.fields).map((name) => {
      const field = type.fields[name] as Field<unknown>;
      const { wireType, absent } = KINDS[field.kind];
      return { name, field, wireType, absent: field.repeated ? undefined : absent };
    });
    table = {
      all,
      byName: new Map(all.flatMap((each) => namesOf(each).map((name) => [name, each]))),
      byTag: new Map(all.flatMap((each) => tagsOf(each).map((tag) => [tag, each]))),
      byNumber: all.toSorted((a, b) => a.field.number - b.field.number),
      messages: all.filter(({ field }) => field.kind === "message"),
    };
    tables.set(type, table);
  }
  return table;
}

function namesOf({ name }: NamedField): string[] {
  return [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** The tag of a field in protobuf, which precedes each value. */
export function tagOf(number: number, wireType: WireType): number {
  return number * 8 + wireType;
}

function tagsOf({ field: { number, repeated }, wireType }: NamedField): number[] {
  const canBePacked = repeated && wireType === WireType.Varint;
  const types = canBePacked ? [wireType, WireType.LengthDelimited] : [wireType];
  return types.map((type) => tagOf(number, type));
}

/** Returns the number of the enumeration value with this name, or `undefined` if there is none. */
export function enumNumber(names: EnumNames, name: string): number | undefined {
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

/**
 * Returns the name for the number of an enumeration value. If there is no name, an open enumeration keeps the number
 * unless it is 0; otherwise, the result is {@link UNKNOWN}.
 */
export function enumValue({ names, open }: Field<unknown>, number: number): unknown {
  for (const name in names) {
    if (names[name] === number && Object.hasOwn(names, name)) return name;
  }
  return open && number !== 0 ? number : UNKNOWN;
}

/** The value of an absent field in a record. */
export function absentValue({ field, absent }: NamedField): unknown {
  if (absent !== undefined) return absent;
  return field.repeated ? [] : new Uint8Array(0);
}

/** Whether a value is the same as that of an absent field. */
export function isAbsent({ absent }: NamedField, value: unknown): boolean {
  return absent === undefined ? (value as ArrayLike<unknown>).length === 0 : value === absent;
}

/** Whether a value is left out of JSON and queries. */
export function isLeftOut(named: NamedField, value: unknown): boolean {
  return value === null || (!named.field.explicit && isAbsent(named, value));
}

/** A record with no field set. */
export function emptyRecord(type: AnyType): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const named of tableOf(type).all) record[named.name] = absentValue(named);
  return record;
}

/** The path of a field in a message that is itself at `path`. */
export function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Readers return this for an enumeration value without a name. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/* Functions that define and modify the fields of message types. */

type Maker<Value> = (number: number) => Field<Value>;

export const int32: Maker<number> = (number) => ({ number, kind: "int32" });
export const uint32: Maker<number> = (number) => ({ number, kind: "uint32" });
export const int64: Maker<number> = (number) => ({ number, kind: "int64" });
export const uint64: Maker<bigint> = (number) => ({ number, kind: "uint64" });
export const fixed64: Maker<bigint> = (number) => ({ number, kind: "fixed64" });
export const bool: Maker<boolean> = (number) => ({ number, kind: "bool" });
export const string: Maker<string> = (number) => ({ number, kind: "string" });
export const bytes: Maker<Uint8Array> = (number) => ({ number, kind: "bytes" });
/** The value is in milliseconds. */
export const duration: Maker<number | null> = (number) => ({ number, kind: "duration" });
/** The value is in milliseconds since 1970-01-01T00:00Z. */
export const timestamp: Maker<number | null> = (number) => ({ number, kind: "timestamp" });

/** An enumeration; values without a name are skipped. */
export function oneName<Name extends string>(
  number: number,
  names: Readonly<Record<Name, number>>,
): Field<Name | null> {
  return { number, kind: "enum", names };
}

/** An enumeration that keeps values without a name as numbers, so that an answer can repeat them. */
export function nameOrNumber<Name extends string>(
  number: number,
  names: Readonly<Record<Name, number>>,
): Field<Name | number | null> {
  return { number, kind: "enum", names, open: true };
}

export function message<Message>(
  number: number,
  type: MessageType<Message>,
): Field<Message | null> {
  return { number, kind: "message", type };
}

/** Turns a field into a repeated field with values of the same type. */
export function many<Value>(field: Field<Value>): Field<readonly NonNullable<Value>[]> {
  return { ...(field as Field<never>), repeated: true };
}

/** Makes a repeated field that is written with one tag for each value. */
export function unpacked<Value>(field: Field<Value>): Field<Value> {
  return { ...field, unpacked: true };
}

/** Makes a field that is written even when it is zero or empty. */
export function explicit<Value>(field: Field<Value>): Field<Value> {
  return { ...field, explicit: true };
}

/** The type of one value of a field. The comments give the type in the record. */
export type Kind =
  /** `number` */
  | "int32"
  /** `number` */
  | "uint32"
  /** `number`, a safe integer */
  | "int64"
  /** `bigint` */
  | "uint64"
  /** `bigint`; eight bytes on the wire */
  | "fixed64"
  /** `boolean` */
  | "bool"
  /** `string` */
  | "string"
  /** `Uint8Array` */
  | "bytes"
  /** the name of the value; a `number` for an unknown value of an open enumeration; `null` when there is none */
  | "enum"
  /** a record; `null` when there is none */
  | "message"
  /** milliseconds as a `number`; `null` when the field is absent */
  | "duration"
  /** milliseconds since 1970-01-01T00:00Z as a `number`; `null` when the field is absent */
  | "timestamp";

interface KindFacts {
  readonly wireType: WireType;
  /**
   * The value of an absent field that is not repeated; `undefined` for bytes, because each record has its own array.
   */
  readonly absent: unknown;
  /** The `typeof` of a value in a record, and the description of that type in error messages. */
  readonly type: string;
  readonly called: string;
  /** The range of an integer. */
  readonly least: number | bigint;
  readonly most: number | bigint;
}

const { Varint, Bit64, LengthDelimited } = WireType;
const NO_RANGE = { least: 0, most: 0 };
const OBJECT = { wireType: LengthDelimited, absent: null, type: "object", called: "", ...NO_RANGE };
const TIME = { ...OBJECT, type: "number", called: "a number of milliseconds" };
const NUMBER = { ...OBJECT, wireType: Varint, absent: 0, type: "number", called: "a number" };
const LONG = {
  ...NUMBER,
  absent: 0n,
  type: "bigint",
  called: "a bigint",
  least: 0n,
  most: 2n ** 64n - 1n,
};

export const KINDS: Readonly<Record<Kind, KindFacts>> = {
  int32: { ...NUMBER, least: -(2 ** 31), most: 2 ** 31 - 1 },
  uint32: { ...NUMBER, least: 0, most: 2 ** 32 - 1 },
  int64: { ...NUMBER, least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER },
  uint64: LONG,
  fixed64: { ...LONG, wireType: Bit64 },
  bool: { ...OBJECT, wireType: Varint, absent: false, type: "boolean", called: "a boolean" },
  string: { ...OBJECT, absent: "", type: "string", called: "a string" },
  bytes: { ...OBJECT, absent: undefined },
  enum: { ...OBJECT, wireType: Varint },
  message: OBJECT,
  duration: TIME,
  timestamp: TIME,
};

/** Whether a number is in the range of its kind. */
export function isInRange(kind: Kind, number: number | bigint): boolean {
  const { least, most } = KINDS[kind];
  return number >= least && number <= most;
}
