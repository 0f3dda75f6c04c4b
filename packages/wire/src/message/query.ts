/*
 * A request in the query of a URL: one parameter for each value or element of a repeated field, such as
 * `constraints.maxDiffEntries=1024` for a field of a nested message.
 *
 * See https://google.aip.dev/127 and google/api/http.proto.
 */

import { toBase64Url } from "./base64.ts";
import { checkRecord } from "./check.ts";
import { completeRecord } from "./complete.ts";
import { fieldName, setValue } from "./decode-json.ts";
import { type AnyType, emptyRecord, type Field, fieldOf } from "./field.ts";
import { newBudget, takeElement } from "./limits.ts";

/** Reads a message from parameters, and from `fixed` values that come from elsewhere. Unknown parameters are ignored. */
export function decodeQuery(
  type: AnyType,
  parameters: Iterable<readonly [string, string]>,
): Record<string, unknown> {
  const record = emptyRecord(type);
  const budget = newBudget();
  for (const [key, value] of parameters)
    setParameter(type, record, key, value, () => takeElement(budget, key));
  checkRecord(type, record);
  return record;
}

function setParameter(
  type: AnyType,
  record: Record<string, unknown>,
  key: string,
  value: string,
  take: () => void,
): void {
  const names = key.split(".").map(fieldName);
  let here: { type: AnyType; record: Record<string, unknown> } = { type, record };
  for (const name of names.slice(0, -1)) {
    const field = fieldOf(here.type, name);
    if (field?.kind !== "message" || field.repeated) return;
    const inner = (here.record[name] ?? emptyRecord(field.type!)) as Record<string, unknown>;
    here.record[name] = inner;
    here = { type: field.type!, record: inner };
  }
  const name = names.at(-1)!;
  const field = fieldOf(here.type, name);
  if (field === null || field.kind === "message") return;
  if (field.repeated) take();
  // An unescaped "+" of standard base64 was read as a space.
  const text = field.kind === "bytes" ? value.replaceAll(" ", "+") : value;
  setValue(here.record, name, field, text, names.join("."));
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
  for (const name of Object.keys(type.fields)) {
    const field = fieldOf(type, name)!;
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
