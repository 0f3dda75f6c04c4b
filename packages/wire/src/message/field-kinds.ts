import { WireType } from "@bufbuild/protobuf/wire";

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
