import { WireError } from "../error.ts";
import { readScalar } from "../message/decode-json.ts";
import {
  type Draft,
  finishDraft,
  innerDraft,
  newDraft,
  putMessage,
  putValue,
} from "../message/draft.ts";
import { joinPath, type MessageType, tableOf } from "../message/message-type.ts";

/** The parameters of a query, in its order, as `URLSearchParams` reads them. */
export type QueryParameters = readonly (readonly [name: string, value: string])[];

/** The first value of a parameter, or `null` if there is none. */
export function parameterIn(query: QueryParameters, wanted: string): string | null {
  for (const [name, value] of query) if (name === wanted) return value;
  return null;
}

/**
 * Matches queries that can be read without `URLSearchParams`. Queries that start with a question mark do not match,
 * because `URLSearchParams` drops that question mark.
 */
const PLAIN = /^(?!\?)[\x21-\x7e]*$/;

const PERCENT = 0x25;
const PLUS = 0x2b;

/** The value of a hexadecimal digit by its character code; `NaN` for other ASCII characters. */
const HEX = Array.from({ length: 0x80 }, (_, code) =>
  Number.parseInt(String.fromCharCode(code), 16),
);

/**
 * Decodes the escapes in a name or value. Throws when an escape is malformed, or the decoded bytes are not UTF-8.
 *
 * The function avoids `decodeURIComponent`, which is slow even for the two escapes at the end of a hash prefix in
 * base64.
 */
function unescapePart(part: string): string {
  let text = "";
  let start = 0;
  for (let i = 0; i < part.length; i++) {
    const code = part.charCodeAt(i);
    if (code === PLUS) {
      text += `${part.slice(start, i)} `;
      start = i + 1;
    } else if (code === PERCENT) {
      const byte = HEX[part.charCodeAt(i + 1)]! * 16 + HEX[part.charCodeAt(i + 2)]!;
      // `decodeURIComponent` joins the escapes of characters outside ASCII, and throws if an escape is malformed.
      if (!(byte < 0x80)) return decodeURIComponent(part.replaceAll("+", " "));
      text += part.slice(start, i) + String.fromCharCode(byte);
      i += 2;
      start = i + 1;
    }
  }
  return start === 0 ? part : text + part.slice(start);
}

const NO_ESCAPE = /%(?![0-9a-f]{2})/gi;

/** Reads any query, but more slowly than {@link queryParameters} reads a `PLAIN` one. */
function readWithUrlSearchParams(query: string): QueryParameters {
  try {
    // `decodeURIComponent` and `encodeURIComponent` throw if the query or its escapes are not valid UTF-8.
    // `URLSearchParams` would replace the invalid characters, so that a different URL would be looked up.
    encodeURIComponent(decodeURIComponent(query.replace(NO_ESCAPE, "%25")));
  } catch {
    throw new WireError("text-malformed");
  }
  return [...new URLSearchParams(query)];
}

/**
 * Reads the query of a URL, which is the text after `?`.
 *
 * @throws {WireError} `text-malformed` when the text or its escapes are not valid UTF-8.
 */
export function queryParameters(query: string): QueryParameters {
  if (!PLAIN.test(query)) return readWithUrlSearchParams(query);
  const all: [string, string][] = [];
  // The index of the next equals sign, kept so that a parameter without one does not cause another search.
  let equals = -1;
  try {
    for (let start = 0; start < query.length; ) {
      const next = query.indexOf("&", start);
      const end = next < 0 ? query.length : next;
      if (equals < start) equals = query.indexOf("=", start);
      if (equals < 0) equals = query.length;
      if (equals < end) {
        all.push([
          unescapePart(query.slice(start, equals)),
          unescapePart(query.slice(equals + 1, end)),
        ]);
      } else if (end > start) {
        all.push([unescapePart(query.slice(start, end)), ""]);
      }
      start = end + 1;
    }
  } catch {
    // A "%" does not begin an escape, or the escaped bytes are not UTF-8.
    return readWithUrlSearchParams(query);
  }
  return all;
}

/*
 * Reads requests in the query of a URL. Each value, and each element of a repeated field, is one parameter.
 * The name of a field in a nested message is its path, as in `constraints.maxDiffEntries=1024`.
 *
 * See https://google.aip.dev/127 and google/api/http.proto.
 */

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
  parameters: QueryParameters,
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
