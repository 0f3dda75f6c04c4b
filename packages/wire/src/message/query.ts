/*
 * Reads and writes requests in the query of a URL. Each value, and each element of a repeated field, is one parameter.
 * The name of a field in a nested message is its path, as in `constraints.maxDiffEntries=1024`.
 *
 * See https://google.aip.dev/127 and google/api/http.proto.
 */

import { WireError } from "../error.ts";
import { toBase64Url } from "./base64.ts";
import { completeRecord } from "./complete.ts";
import { readScalar } from "./decode-json.ts";
import { type Draft, finishDraft, innerDraft, newDraft, putMessage, putValue } from "./draft.ts";
import {
  type AnyType,
  type Field,
  isLeftOut,
  joinPath,
  type MessageType,
  tableOf,
} from "./message-type.ts";

/** The parameters that every method of Google's APIs accepts, besides those that begin with `$`. */
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

/** Reads a message from parameters. Unknown parameters are ignored unless the method `refusesUnknown`. */
export function decodeQuery<Message>(
  type: MessageType<Message>,
  parameters: Iterable<readonly [string, string]>,
  { refusesUnknown = false }: { readonly refusesUnknown?: boolean },
): Message {
  const draft = newDraft(type);
  /** The keys of the single-value parameters that were read so far. */
  const seen = new Set<string>();
  for (const [key, value] of parameters) {
    const isKnown = setParameter(draft, seen, key, value);
    if (isKnown || !refusesUnknown || key.startsWith("$") || COMMON_PARAMETERS.has(key)) continue;
    throw new WireError("parameter-unknown");
  }
  return finishDraft(type, draft);
}

/** Sets the field named by a parameter. Returns `false` when there is no such field. */
function setParameter(whole: Draft, seen: Set<string>, key: string, value: string): boolean {
  let [draft, name] = [whole, key];
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".")) {
    const outer = tableOf(draft.type).byName.get(name.slice(0, dot));
    if (outer?.field.kind !== "message" || outer.field.repeated) return false;
    const inner = innerDraft(draft, outer, draft.record[outer.name]);
    putMessage(draft, outer, inner);
    draft = inner;
    name = name.slice(dot + 1);
  }
  const named = tableOf(draft.type).byName.get(name);
  if (named === undefined || named.field.kind === "message") return false;
  const { field } = named;
  const path = joinPath(draft.path, named.name);
  if (!field.repeated) {
    if (seen.has(path)) throw new WireError("parameter-repeated", path);
    seen.add(path);
  }
  // An unescaped "+" of standard base64 was read as a space.
  const isSpaced = field.kind === "bytes" && value.includes(" ");
  const text = isSpaced ? value.replaceAll(" ", "+") : value;
  putValue(draft, named, readScalar(field, text, path));
  return true;
}

/** Encodes a message as query parameters. Elements of repeated fields are written even when they are empty. */
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
  for (const named of tableOf(type).all) {
    const { name, field } = named;
    const value = record[name];
    if (isLeftOut(named, value)) continue;
    const path = `${prefix}${name}`;
    if (field.kind === "message")
      addParameters(parameters, field.type!, value as never, `${path}.`);
    else {
      const values = field.repeated ? (value as readonly unknown[]) : [value];
      for (const each of values) parameters.push([path, format(field, each)]);
    }
  }
}

function format(field: Field<unknown>, value: unknown): string {
  return field.kind === "bytes" ? toBase64Url(value as Uint8Array) : String(value);
}
