import { toBase64Url } from "../message/base64.ts";
import { completeRecord, type MessageInput } from "../message/complete.ts";
import { encodeMessage } from "../message/encode-message.ts";
import { type AnyType, type Field, isLeftOut, tableOf } from "../message/message-type.ts";
import { type AnyMethod, type Format, PROTOBUF_TYPE, type RequestOf, writeBody } from "./method.ts";

/** Options of {@link writeRequest}. */
export interface RequestOptions {
  /**
   * `"plain"`, the usual form, puts the message into the parameters of a GET or the body of a POST. `"$req"` is a
   * GET with the whole message in one parameter, as browsers send it.
   */
  readonly form?: "plain" | "$req" | undefined;
  /**
   * The format of the answer and of the body of a POST. The default is protobuf for v5 methods and for POST methods,
   * and JSON for all others.
   */
  readonly format?: Format | undefined;
  /** The API key. */
  readonly key?: string | undefined;
}

/** A request to send. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST";
  /** The path and query, to append to the server's origin. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `null` for a GET. */
  readonly body: Uint8Array<ArrayBuffer> | null;
}

/**
 * Writes the HTTP request for a method.
 *
 * @throws {WireError} when the message breaks a rule of the protocol.
 * @throws {TypeError} when a field has a value of the wrong type.
 * @throws {RangeError} when a number does not fit its field.
 * @example
 * ```ts
 * import { writeRequest } from "@x/wire";
 * import { searchHashes } from "@x/wire/v5";
 *
 * const { target } = writeRequest(searchHashes, { hashPrefixes: [Uint8Array.of(1, 2, 3, 4)] });
 * target; // → "/v5/hashes:search?hashPrefixes=AQIDBA%3D%3D"
 * ```
 */
export function writeRequest<M extends AnyMethod>(
  method: M,
  message: MessageInput<RequestOf<M>>,
  options: RequestOptions = {},
): OutgoingRequest {
  const { form = "plain", key } = options;
  const usual = method.httpMethod === "POST" ? "protobuf" : method.answer;
  const format = options.format ?? usual;
  const parameters: [string, string][] = key === undefined ? [] : [["key", key]];
  const headers: Record<string, string> = {};
  let { path } = method;
  let body: Uint8Array<ArrayBuffer> | null = null;
  if (method.pathField !== undefined) {
    path += encodeURIComponent(completeRecord(method.request, message)[method.pathField] as string);
  }
  if (form === "$req") {
    parameters.push(["$ct", PROTOBUF_TYPE]);
    if (method.httpMethod === "POST") {
      parameters.push(["$httpMethod", "POST"]);
      headers["X-HTTP-Method-Override"] = "POST";
    }
    parameters.push(["$req", toBase64Url(encodeMessage(method.request, message))]);
    if (format === "json") parameters.push(["alt", "json"]);
  } else if (method.httpMethod === "POST") {
    const written = writeBody(method.request, message, { format, enums: "names" });
    body = written.body;
    headers["Content-Type"] = written.contentType;
    parameters.push(...altParameter(method, format));
  } else {
    const inQuery = encodeQuery(method.request, message);
    parameters.push(...inQuery.filter(([name]) => name !== method.pathField));
    parameters.push(...altParameter(method, format));
  }
  const query = new URLSearchParams(parameters).toString();
  return {
    method: body === null ? "GET" : "POST",
    target: query === "" ? path : `${path}?${query}`,
    headers,
    body,
  };
}

/** The parameter that requests a format; none for the method's default format. */
function altParameter(method: AnyMethod, format: Format): [string, string][] {
  if (format === method.answer) return [];
  return [["alt", format === "json" ? "json" : "proto"]];
}

/** Encodes a message as query parameters. Elements of repeated fields are written even when they are empty. */
function encodeQuery(type: AnyType, message: unknown): [string, string][] {
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
