/*
 * A request in the query of a URL: one parameter for each value or element of a repeated field, such as
 * `constraints.maxDiffEntries=1024` for a field of a nested message.
 *
 * See https://google.aip.dev/127 and google/api/http.proto.
 */

import { WireError } from "../error.ts";
import { toBase64Url } from "./base64.ts";
import { checkRecord } from "./check.ts";
import { completeRecord } from "./complete.ts";
import { fieldName, setValue } from "./decode-json.ts";
import { type AnyType, emptyRecord, type Field, fieldOf, tableOf } from "./field.ts";
import { type Budget, newBudget, takeElement } from "./limits.ts";

/** The parameters that every method of Google's APIs takes, besides those that begin with `$`. */
const COMMON_PARAMETERS = new Set([
  "access_token",
  "alt",
  "callback",
  "fields",
  "key",
  "oauth_token",
  "prettyPrint",
  "quotaUser",
  "uploadType",
  "upload_protocol",
]);

/** Reads a message from parameters. Unknown parameters are ignored, or an error if `refusesUnknown`. */
export function decodeQuery(
  type: AnyType,
  parameters: Iterable<readonly [string, string]>,
  refusesUnknown: boolean,
): Record<string, unknown> {
  const reading = { record: emptyRecord(type), budget: newBudget(), seen: new Set<string>() };
  for (const [key, value] of parameters) {
    const isKnown = setParameter(type, reading, key, value);
    if (isKnown || !refusesUnknown || key.startsWith("$") || COMMON_PARAMETERS.has(key)) continue;
    throw new WireError("parameter-unknown");
  }
  checkRecord(type, reading.record);
  return reading.record;
}

/** A message that is being read. */
interface Reading {
  readonly record: Record<string, unknown>;
  readonly budget: Budget;
  /** The parameters for one value that were read. */
  readonly seen: Set<string>;
}

/** Sets the field that a parameter names. Returns `false` when there is none. */
function setParameter(
  type: AnyType,
  { record, budget, seen }: Reading,
  key: string,
  value: string,
): boolean {
  const path = fieldName(key);
  let [innerType, inner, name] = [type, record, path];
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".")) {
    const outer = name.slice(0, dot);
    const field = fieldOf(innerType, outer);
    if (field?.kind !== "message" || field.repeated) return false;
    innerType = field.type!;
    inner[outer] ??= emptyRecord(innerType);
    inner = inner[outer] as Record<string, unknown>;
    name = name.slice(dot + 1);
  }
  const named = tableOf(innerType).byName.get(name);
  if (named === undefined || named.field.kind === "message") return false;
  const { field } = named;
  if (field.repeated) takeElement(budget, key);
  else if (seen.has(path)) throw new WireError("parameter-repeated", path);
  else seen.add(path);
  // An unescaped "+" of standard base64 was read as a space.
  const isSpaced = field.kind === "bytes" && value.includes(" ");
  const text = isSpaced ? value.replaceAll(" ", "+") : value;
  // The name from the table: a substring of the query is slow as a member name.
  setValue(inner, named.name, field, text, path);
  return true;
}

/** The parameters of a message. Elements of repeated fields are written even when they are empty. */
export function encodeQuery(type: AnyType, message: unknown): [string, string][] {
  const parameters: [string, string][] = [];
  addParameters(parameters, type, completeRecord(type, message), "");
  return parameters;
}

function addParameters(
  parameters: [string, string][],
  type: AnyType,
  record: Readonly<Record<string, unknown>>,
  prefix: string,
): void {
  for (const { name, field } of tableOf(type).all) {
    const value = record[name];
    if (field.kind === "message") {
      if (value !== null) {
        addParameters(
          parameters,
          field.type!,
          value as Record<string, unknown>,
          `${prefix}${name}.`,
        );
      }
      continue;
    }
    const values = field.repeated ? (value as readonly unknown[]) : [value];
    for (const each of values) {
      const text = format(field, each);
      if (text !== "" || field.repeated) parameters.push([`${prefix}${name}`, text]);
    }
  }
}

function format(field: Field<unknown>, value: unknown): string {
  if (value === null || value === 0) return "";
  return field.kind === "bytes" ? toBase64Url(value as Uint8Array) : String(value);
}
