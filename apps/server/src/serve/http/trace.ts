/** The part of a request from which the log takes IDs. */
export interface Traced {
  /** The IDs of the request, as members of a JSON object; empty if there are none. */
  trace(): string;
}

/** 1 to 128 letters, digits, `-` or `_`: nothing that could be a URL, or that would need an escape in a log. */
const REQUEST_ID = /^[\w-]{1,128}$/;

/** The `traceparent` header (W3C Trace Context §3.2). Versions later than 00 may have more parts. */
const TRACE_PARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * The IDs by which other programs know a request, as members of a JSON object for the log: those in the headers
 * `X-Request-Id` and `traceparent`, if they are valid. Empty if there are none.
 */
export function traceOf(header: (name: string) => string | null): string {
  const members: string[] = [];
  const id = header("x-request-id");
  if (id !== null && REQUEST_ID.test(id)) members.push(`"request_id":"${id}"`);
  const [, version, trace, span, rest] = TRACE_PARENT.exec(header("traceparent") ?? "") ?? [];
  if (version !== undefined && (version !== "00" || rest === undefined)) {
    members.push(`"trace_id":"${trace}","span_id":"${span}"`);
  }
  return members.join();
}
