import { typeError } from "@x/sha256-prefix/type-error";
import { WireError } from "../error.ts";
import { fromBase64 } from "../message/base64.ts";
import { decodeMessage } from "../message/decode-message.ts";
import { checkLength, type MessageLimits } from "../message/draft.ts";
import {
  type AnswerForm,
  type AnyMethod,
  type Format,
  formatOf,
  type RequestOf,
  readBody,
} from "./method.ts";
import { decodeQuery, parameterIn, type QueryParameters, queryParameters } from "./query.ts";

/** A received HTTP request. */
export interface HttpRequest {
  /** `"GET"` or `"POST"`. */
  readonly method: string;
  /** The path and query, as in the first line of the request: `"/v5/hashes:search?hashPrefixes=…"`. */
  readonly target: string;
  /** The headers, such as a `Headers` object. `get` is called with lower-case names. */
  readonly headers?: { get(name: string): string | null | undefined } | undefined;
  /** The body; empty by default. */
  readonly body?: Uint8Array | undefined;
}

/** The contents of a request: its method and message, the format for the answer, and the API key. */
export type WireRequest<M extends AnyMethod> = M extends AnyMethod
  ? {
      /** The name of the method, which determines the type of the message. */
      readonly name: M["name"];
      readonly method: M;
      readonly message: RequestOf<M>;
      readonly answer: AnswerForm;
      /** The API key, from `key=` or the header `X-Goog-Api-Key`; `null` when there is none. */
      readonly key: string | null;
    }
  : never;

/** Returns the value of a header, or `""` if the request does not have it. */
type Header = (name: string) => string;

/** Decodes the escapes in a path or a part of a path, because clients may write `:` as `%3A`. */
function unescapePath(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    throw new WireError("path-unknown");
  }
}

/**
 * Returns the value of the field in the path, or `""` if the method has no field there. Returns `null` when the path
 * does not belong to the method. The path is the part of the target before `end`. Comparing the path inside the target
 * is faster than extracting it.
 */
function pathValue(
  { path, pathField }: AnyMethod,
  target: string,
  end: number,
  hasEscapes: boolean,
): string | null {
  if (!hasEscapes && !target.startsWith(path)) return null;
  if (!hasEscapes && pathField === undefined) return end === path.length ? "" : null;
  const asked = target.slice(0, end);
  if (pathField === undefined) return unescapePath(asked) === path ? "" : null;
  const start = asked.lastIndexOf("/") + 1;
  return (unescapePath(asked.slice(0, start)) === path && unescapePath(asked.slice(start))) || null;
}

/**
 * Returns the intended HTTP method. Browsers send some requests with another method and give the intended one in a
 * parameter or header.
 */
function meantMethod(method: string, query: QueryParameters, header: Header): string {
  const meant = parameterIn(query, "$httpMethod") ?? (header("x-http-method-override") || method);
  return meant === "GET" ? meant : meant.toUpperCase();
}

/** The format that the request declares for its own message; `null` if it declares none. */
function requestFormat(query: QueryParameters, header: Header): Format | null {
  const named =
    parameterIn(query, "$ct") ??
    (parameterIn(query, "$req") !== null ? "" : header("content-type"));
  return formatOf(named);
}

function readMessage<M extends AnyMethod>(
  method: M,
  inPath: string,
  query: QueryParameters,
  header: Header,
  request: HttpRequest,
  limits: MessageLimits,
): RequestOf<M> {
  const whole = parameterIn(query, "$req");
  if (whole !== null) {
    if (requestFormat(query, header) === "json") throw new WireError("content-type-unknown");
    // An unescaped "+" of standard base64 was read as a space.
    const bytes = fromBase64(whole.replaceAll(" ", "+"), "$req");
    const message = decodeMessage(method.request, bytes, limits);
    return method.pathField === undefined ? message : { ...message, [method.pathField]: inPath };
  }
  if (method.httpMethod === "POST" && request.method.toUpperCase() === "POST") {
    const format = requestFormat(query, header) ?? "json";
    return readBody(method.request, format, request.body ?? new Uint8Array(0), limits);
  }
  const { pathField } = method;
  const parameters =
    pathField === undefined
      ? query
      : [...query.filter(([name]) => name !== pathField), [pathField, inPath] as const];
  return decodeQuery(method.request, parameters, method);
}

/**
 * The format of the answer: the one in `alt`; otherwise protobuf if the request's message is declared as protobuf;
 * otherwise JSON if `Accept` names it; otherwise the method's default.
 */
function answerForm(method: AnyMethod, query: QueryParameters, header: Header): AnswerForm {
  const named = parameterIn(query, "$alt") ?? parameterIn(query, "alt") ?? "";
  const end = named.indexOf(";");
  const alt = end < 0 ? named : named.slice(0, end);
  const isNumeric = end >= 0 && named.split(";").includes("enum-encoding=int", 1);
  const enums = isNumeric ? "numbers" : "names";
  if (alt === "json") return { format: "json", enums };
  if (alt === "proto") return { format: "protobuf", enums };
  if (alt !== "") throw new WireError("alt-unknown", "alt");
  const saysFormat = method.httpMethod === "POST" || parameterIn(query, "$req") !== null;
  if (saysFormat && requestFormat(query, header) === "protobuf") {
    return { format: "protobuf", enums };
  }
  const accepted = header("accept");
  if (/\bapplication\/json\b/i.test(accepted)) return { format: "json", enums };
  return { format: method.answer, enums };
}

/**
 * Reads an HTTP request for one of the given methods, in any form that clients use: parameters, a whole message in
 * `$req`, a protobuf or JSON body, or a POST that is sent as a GET.
 *
 * @throws {WireError} when the request is for none of these methods, is malformed or too large, or breaks a rule of the
 * protocol.
 * @throws {TypeError} when a part of `request` has the wrong type.
 * @example
 * ```ts
 * import { readRequest } from "@x/wire";
 * import { V5_METHODS } from "@x/wire/v5";
 *
 * const target = "/v5/hashes:search?key=k&hashPrefixes=AQIDBA%3D%3D";
 * const request = readRequest({ method: "GET", target }, V5_METHODS);
 * request.name; // → "v5.hashes.search"
 * request.message; // → { hashPrefixes: [Uint8Array.of(1, 2, 3, 4)] }
 * request.answer; // → { format: "protobuf", enums: "names" }
 * ```
 */
export function readRequest<M extends AnyMethod>(
  request: HttpRequest,
  methods: readonly M[],
  limits: MessageLimits = {},
): WireRequest<M> {
  const { target, headers } = request;
  if (typeof target !== "string") throw typeError("target", "a string", target);
  if (typeof request.method !== "string") throw typeError("method", "a string", request.method);
  checkLength(target.length, limits);
  const mark = target.indexOf("?");
  const end = mark < 0 ? target.length : mark;
  const query = queryParameters(target.slice(end + 1));
  const header: Header = (name) => headers?.get(name) ?? "";
  const firstEscape = target.indexOf("%");
  const hasEscapes = firstEscape >= 0 && firstEscape < end;
  let inPath: string | null = null;
  const method = methods.find((each) => {
    inPath = pathValue(each, target, end, hasEscapes);
    return inPath !== null;
  });
  if (method === undefined) throw new WireError("path-unknown");
  if (meantMethod(request.method, query, header) !== method.httpMethod) {
    throw new WireError("http-method-wrong");
  }
  return {
    name: method.name,
    method,
    message: readMessage(method, inPath!, query, header, request, limits),
    answer: answerForm(method, query, header),
    key: parameterIn(query, "key") ?? (header("x-goog-api-key") || null),
  } as WireRequest<M>;
}
