import { asciiLowerCase } from "./ascii.ts";
import { CanonError } from "./error.ts";
import { booleanOption, ownOptions, typeError } from "./own-options.ts";
import {
  type AbsoluteUri,
  formatUri,
  isHierarchical,
  lengthProblem,
  parseUri,
  withMark,
} from "./uri.ts";

/** Options of {@link canonicalizeHierarchical}. */
export interface HierarchicalOptions {
  /**
   * `"N"` tends towards false negatives: it equates only URIs that hardly ever differ in meaning. `"P"` tends
   * towards false positives: it also ignores case everywhere, empty path segments, and whether an extension
   * is short or long.
   */
  readonly variant: "N" | "P";
  /** The absolute URI against which a relative `uri` is resolved. Only a string can be relative. */
  readonly base?: string | undefined;
  /** Whether to keep the query. The default is `false`. */
  readonly keepQuery?: boolean | undefined;
  /** Whether to keep the fragment. The default is `false`. */
  readonly keepFragment?: boolean | undefined;
}

/**
 * The canonical form of a hierarchical URI according to Appendix A of the hashed URI draft.
 *
 * `uri` is a string, or a record that `parseUri` returned, which is not parsed again.
 *
 * The numbers of IPv4 addresses are decimal (`011` is 11), escapes are left alone, no `/` is added to an empty path,
 * and dot segments of an absolute URI stay. The result is not the canonical form of Safe Browsing, which `canonicalize`
 * returns. A query or fragment that is kept is unchanged in variant N and in lower case in P.
 *
 * Canonicalizing the result changes nothing, with one exception: in variant P, step (6) removes the empty last
 * segment that step (8) leaves in place of `index.html`.
 *
 * @throws `CanonError` `not-hierarchical`: the URI is opaque, such as `mailto:a@b`; and the codes of
 * `parseUri`.
 * @throws TypeError when `uri` is neither a string nor such a record, or when an option is of the wrong type.
 *
 * @example
 * ```ts
 * import { canonicalizeHierarchical } from "@x/canon/hierarchical";
 *
 * const uri = "http://Fred@WWW.Thus.net:0112/Test/index.html";
 * canonicalizeHierarchical(uri, { variant: "N" }); // → "http://Fred@www.thus.net:112/Test/"
 * canonicalizeHierarchical(uri, { variant: "P" }); // → "http://fred@www.thus.net:112/test/"
 * ```
 * @see draft-feather-hashed-uri-03, Appendix A
 */
export function canonicalizeHierarchical(
  uri: string | AbsoluteUri,
  options: HierarchicalOptions,
): string {
  const own = ownOptions(options);
  const { variant } = own;
  if (variant !== "N" && variant !== "P") {
    throw typeError("variant", '"N" or "P"', variant);
  }
  const parts = decompose(makeAbsolute(uri, own));
  deleteDefaultPort(parts);
  if (variant === "N") lowerCaseHost(parts);
  else lowerCaseAll(parts);
  removeLeadingZeroes(parts);
  if (variant === "P") {
    removeEmptySegments(parts);
    shortenExtension(parts);
  }
  removeIndexFile(parts);
  return recompose(parts);
}

/**
 * Appendix A step (1): §4.3 steps (1) and (2). The reference is resolved before its query is removed, so that it gives
 * the same result as the absolute URI for which it stands. Without its query, `?y` would refer to something else.
 */
function makeAbsolute(uri: string | AbsoluteUri, options: HierarchicalOptions): AbsoluteUri {
  const keepQuery = booleanOption("keepQuery", options.keepQuery);
  const keepFragment = booleanOption("keepFragment", options.keepFragment);
  const absolute = typeof uri === "string" ? parseUri(uri, options.base) : checkedUri(uri);
  if (!isHierarchical(absolute)) {
    throw new CanonError(typeof uri === "string" ? uri : formatUri(uri), "not-hierarchical", 0);
  }
  return {
    ...absolute,
    query: keepQuery ? absolute.query : null,
    fragment: keepFragment ? absolute.fragment : null,
  };
}

/** Returns the record if it has the shape that `parseUri` returns and is not too long. */
function checkedUri(uri: AbsoluteUri): AbsoluteUri {
  if (typeof uri !== "object" || uri === null) {
    throw typeError("uri", "a string or a record that parseUri returned", uri);
  }
  for (const part of ["scheme", "path"] as const) {
    if (typeof uri[part] !== "string") throw typeError(`uri.${part}`, "a string", uri[part]);
  }
  for (const part of ["authority", "query", "fragment"] as const) {
    const isTextOrNull = uri[part] === null || typeof uri[part] === "string";
    if (!isTextOrNull) throw typeError(`uri.${part}`, "a string or null", uri[part]);
  }
  const problem = lengthProblem(formatUri(uri));
  if (problem !== null) throw new CanonError(problem.input, problem.code, problem.index);
  return uri;
}

/** A URI that the steps of Appendix A are changing. A missing authority, user, host or port is an empty string. */
interface Parts {
  scheme: string;
  /**
   * The whole authority when it is not a triple of user, host and port, so that `user`, `host` and `port` are empty.
   */
  authority: string;
  user: string;
  host: string;
  port: string;
  segments: string[];
  query: string | null;
  fragment: string | null;
}

/** Appendix A step (2): the authority is split if the scheme uses a triple of user, host and port. */
function decompose(uri: AbsoluteUri): Parts {
  const { scheme, path, query, fragment } = uri;
  const authority = uri.authority ?? "";
  const segments = path === "" ? [] : path.slice(1).split("/");
  const triple = DEFAULT_PORTS.has(scheme) ? splitAuthority(authority) : null;
  if (triple !== null) return { scheme, authority: "", ...triple, segments, query, fragment };
  return { scheme, authority, user: "", host: "", port: "", segments, query, fragment };
}

const HOST_AND_PORT = /^(\[[^[\]]*\]|[^:[\]]+)(?::([0-9]*))?$/;

/**
 * Splits an authority by RFC 2396 §3.2.2, with the brackets of RFC 2732. Returns null when the authority has no host,
 * or when its port is not a number. RFC 2396 §3.2.1 leaves the meaning of such an authority to its scheme, so it stays
 * whole.
 */
function splitAuthority(authority: string): Pick<Parts, "user" | "host" | "port"> | null {
  const at = authority.lastIndexOf("@");
  const match = HOST_AND_PORT.exec(authority.slice(at + 1));
  if (match === null) return null;
  return { user: authority.slice(0, Math.max(at, 0)), host: match[1]!, port: match[2] ?? "" };
}

/** Appendix A step (3). A port is a number: `:080` is 80. */
function deleteDefaultPort(parts: Parts): void {
  if (withoutLeadingZeroes(parts.port) === DEFAULT_PORTS.get(parts.scheme)) parts.port = "";
}

/**
 * Appendix A step (4), variant N. Step (1) has already put the scheme in lower case. IPv6 addresses, which
 * the draft does not mention, are put in lower case like domain names.
 */
function lowerCaseHost(parts: Parts): void {
  parts.host = asciiLowerCase(parts.host);
}

/** Appendix A step (4), variant P. */
function lowerCaseAll(parts: Parts): void {
  parts.authority = asciiLowerCase(parts.authority);
  parts.user = asciiLowerCase(parts.user);
  parts.host = asciiLowerCase(parts.host);
  parts.segments = parts.segments.map(asciiLowerCase);
  parts.query = parts.query && asciiLowerCase(parts.query);
  parts.fragment = parts.fragment && asciiLowerCase(parts.fragment);
}

/** RFC 2396's `IPv4address`: any four groups of digits, since no host name ends in a label of digits. */
const IPV4_ADDRESS = /^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$/;
const IPV6_ADDRESS = /^\[[0-9a-f:.]+\]$/;

/** Appendix A step (5). The numbers of an IPv4 address are decimal, and each keeps at least one digit. */
function removeLeadingZeroes(parts: Parts): void {
  parts.port = withoutLeadingZeroes(parts.port);
  if (IPV4_ADDRESS.test(parts.host) || IPV6_ADDRESS.test(parts.host)) {
    parts.host = parts.host.replace(/[0-9a-f]+/g, withoutLeadingZeroes);
  }
}

function withoutLeadingZeroes(digits: string): string {
  return digits.replace(/^0+(?=.)/, "");
}

/** Appendix A step (6), variant P. */
function removeEmptySegments(parts: Parts): void {
  parts.segments = parts.segments.filter((segment) => segment !== "");
}

const EXTENSIONS: readonly (readonly [from: string, to: string])[] = [
  [".html", ".htm"],
  [".jpeg", ".jpg"],
  [".text", ".txt"],
  [".ram", ".ra"],
];

/** Appendix A step (7), variant P. */
function shortenExtension(parts: Parts): void {
  const last = parts.segments.at(-1) ?? "";
  const rule = EXTENSIONS.find(([from]) => last.endsWith(from));
  if (rule === undefined) return;
  const [from, to] = rule;
  parts.segments[parts.segments.length - 1] = last.slice(0, -from.length) + to;
}

/** Appendix A step (8). The segment is emptied and keeps its `/`, as in the draft's examples. */
function removeIndexFile(parts: Parts): void {
  const last = parts.segments.at(-1);
  if (parts.scheme !== "http" || (last !== "index.htm" && last !== "index.html")) return;
  parts.segments[parts.segments.length - 1] = "";
}

/**
 * Appendix A step (9), followed by the query and fragment that step (1) retained.
 *
 * An empty authority loses its `//`, except before a path that itself begins with `//`: taken literally, the
 * step would turn `file:////a/b` into `file://a/b`, which names a host.
 */
function recompose(parts: Parts): string {
  const path = parts.segments.length > 0 ? `/${parts.segments.join("/")}` : "";
  const user = parts.user && `${parts.user}@`;
  const port = parts.port && `:${parts.port}`;
  const authority = parts.authority || `${user}${parts.host}${port}`;
  const slashes = authority !== "" || path.startsWith("//") ? "//" : "";
  const query = withMark("?", parts.query);
  const fragment = withMark("#", parts.fragment);
  return `${parts.scheme}:${slashes}${authority}${path}${query}${fragment}`;
}

/**
 * The schemes whose authority is a user, a host and a port, each with its default port, which is the registered port
 * or, without one, the port in common use.
 */
const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ["acap", "674"],
  ["coap", "5683"],
  ["coaps", "5684"],
  ["dict", "2628"],
  ["ftp", "21"],
  ["ftps", "990"],
  ["git", "9418"],
  ["gopher", "70"],
  ["http", "80"],
  ["https", "443"],
  ["icap", "1344"],
  ["imap", "143"],
  ["imaps", "993"],
  ["ipp", "631"],
  ["ipps", "631"],
  ["ldap", "389"],
  ["ldaps", "636"],
  ["mtqp", "1038"],
  ["nfs", "2049"],
  ["nntp", "119"],
  ["pop", "110"],
  ["prospero", "1525"],
  ["rsync", "873"],
  ["rtsp", "554"],
  ["rtsps", "322"],
  ["rtspu", "554"],
  ["sftp", "22"],
  ["snews", "563"],
  ["snmp", "161"],
  ["ssh", "22"],
  ["svn", "3690"],
  ["telnet", "23"],
  ["tftp", "69"],
  ["vemmi", "575"],
  ["vnc", "5900"],
  ["wais", "210"],
  ["ws", "80"],
  ["wss", "443"],
  ["z39.50r", "210"],
  ["z39.50s", "210"],
]);
