import { tryParseUrl } from "@x/canon";
import { browserHref } from "@x/canon/browser";
import { type CanonicalSpans, verifyCanonical } from "@x/canon/verify";
import { decodeParameter } from "./decode.ts";

/** The parts of a URL that wrappers use. Escapes are not decoded. */
export interface LinkParts {
  /** The host in lower case, without a port. */
  readonly host: string;
  readonly path: string;
  /** The query without `?`. */
  readonly query: string;
  /** Everything after the host and port: path, query and fragment. */
  readonly rest: string;
}

const PARTS = /^[a-z]+:\/\/(\[[^\]]*\]|[^/:]*)(?::\d*)?(\/[^?#]*)(?:\?([^#]*))?/;

const encoder = new TextEncoder();

/** Characters that browsers escape in some part of a URL, although a canonical URL may contain them. */
const ESCAPED = /["'<>^`{}]/;

/** Whether parsing would not change a URL, because it is canonical and browsers open it as it is. */
function isAsParsed(url: string): boolean {
  if (ESCAPED.test(url)) return false;
  const bytes = encoder.encode(url);
  const spans: CanonicalSpans = { hostType: "domain", host: 0, path: 0, query: 0, end: 0 };
  return verifyCanonical(bytes, 0, bytes.length, spans) && spans.end === bytes.length;
}

/** The parts of a URL as browsers read it; if they do not open it, as the specification reads it. */
export function linkParts(url: string): LinkParts | null {
  const href = isAsParsed(url) ? url : (browserHref(url) ?? tryParseUrl(url)?.href ?? null);
  const found = href === null ? null : PARTS.exec(href);
  if (found === null) return null;
  const [, host, path, query = ""] = found;
  const hostStart = href!.indexOf("://") + "://".length;
  return { host: host!, path: path!, query, rest: href!.slice(href!.indexOf("/", hostStart)) };
}

/** The values of parameters, as they are written. The names of parameters are compared without regard to case. */
export function writtenParameters(query: string, names: readonly string[]): readonly string[] {
  const values: string[] = [];
  for (const parameter of query.split("&")) {
    const equals = parameter.indexOf("=");
    if (equals < 0) continue;
    // A URL that was copied from the source of a page has "&amp;" between parameters.
    const name = parameter.slice(0, equals).toLowerCase().replace(/^amp;/, "");
    if (names.includes(name)) values.push(parameter.slice(equals + 1));
  }
  return values;
}

/** The decoded values of parameters. */
export function parameters(query: string, names: readonly string[]): readonly string[] {
  return writtenParameters(query, names).map(decodeParameter);
}
