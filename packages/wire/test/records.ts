import type { Field, MessageType } from "@x/wire";
import fc from "fast-check";

// biome-ignore lint/suspicious/noExplicitAny: tables of any message
type AnyType = MessageType<any>;

const bytesOf = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
const hash = bytesOf(32, 32);
const limit = fc.oneof(fc.constant(0), fc.integer({ min: 1024, max: 2 ** 31 - 1 }));

/** By field name, values that obey not only the type of the field but also the rules of its protocol. */
const RULED: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  fullHash: hash,
  hash,
  hashPrefix: bytesOf(4, 32),
  hashPrefixes: fc.array(bytesOf(4, 4), { minLength: 1, maxLength: 5 }),
  urls: fc.array(fc.string(), { minLength: 1, maxLength: 5 }),
  name: fc.string({ minLength: 1 }),
  names: fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }),
  maxUpdateEntries: limit,
  maxDatabaseEntries: limit,
  maxDiffEntries: limit,
  threat: fc.record({ hash, url: fc.string() }),
  threatEntries: fc.array(fc.record({ hash, url: fc.string() }), { minLength: 1, maxLength: 3 }),
};
const SECOND = 1000;

function scalar(field: Field<unknown>): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case "int32":
      return fc.integer();
    case "uint32":
      return fc.nat({ max: 2 ** 32 - 1 });
    case "int64":
      return fc.maxSafeInteger();
    case "uint64":
    case "fixed64":
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    case "bool":
      return fc.boolean();
    case "string":
      return fc.string({ unit: "grapheme" });
    case "bytes":
      return bytesOf(0, 40);
    case "duration":
      return fc.nat({ max: 315_576_000_000 * SECOND });
    case "timestamp":
      return fc.integer({ min: -62_135_596_800 * SECOND, max: 253_402_300_799 * SECOND });
    case "enum":
      return fc.constantFrom(...written(field));
    default:
      return recordOf(field.type!);
  }
}

/** The names that are written: the first for each number. */
function written({ names }: Field<unknown>): string[] {
  const numbers = Object.values(names!);
  return Object.keys(names!).filter((_, i) => numbers.indexOf(numbers[i]!) === i);
}

/** Any record of a message that the rules of its protocol allow. */
export function recordOf<Message>(type: MessageType<Message>): fc.Arbitrary<Message> {
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, field] of Object.entries<Field<unknown>>((type as AnyType).fields)) {
    const isNull = ["message", "duration", "timestamp", "enum"].includes(field.kind);
    // Web Risk has a field called `threat` without a hash.
    const isOther = name === "threat" && !("hash" in (field.type?.fields ?? {}));
    if (Object.hasOwn(RULED, name) && !isOther) model[name] = RULED[name]!;
    else if (field.repeated) model[name] = fc.array(scalar(field), { maxLength: 4 });
    else model[name] = isNull && !type.knownOnly ? fc.option(scalar(field)) : scalar(field);
    // A search has at least one entry.
    if (name === "threatInfo") model[name] = scalar(field);
  }
  if (type.oneOf === undefined) return fc.record(model) as fc.Arbitrary<Message>;
  return fc.tuple(fc.record(model), fc.constantFrom(...type.oneOf)).map(([record, chosen]) => {
    for (const name of type.oneOf!) if (name !== chosen) record[name as string] = null;
    return record as Message;
  });
}
