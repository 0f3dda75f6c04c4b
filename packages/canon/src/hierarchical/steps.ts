import { asciiLowerCase } from "../ascii.ts";
import { type AbsoluteUri, withMark } from "./reference.ts";

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
export function decompose(uri: AbsoluteUri): Parts {
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
export function deleteDefaultPort(parts: Parts): void {
  if (withoutLeadingZeroes(parts.port) === DEFAULT_PORTS.get(parts.scheme)) parts.port = "";
}

/**
 * Appendix A step (4), variant N. Step (1) has already put the scheme in lower case. IPv6 addresses, which
 * the draft does not mention, are put in lower case like domain names.
 */
export function lowerCaseHost(parts: Parts): void {
  parts.host = asciiLowerCase(parts.host);
}

/** Appendix A step (4), variant P. */
export function lowerCaseAll(parts: Parts): void {
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
export function removeLeadingZeroes(parts: Parts): void {
  parts.port = withoutLeadingZeroes(parts.port);
  if (IPV4_ADDRESS.test(parts.host) || IPV6_ADDRESS.test(parts.host)) {
    parts.host = parts.host.replace(/[0-9a-f]+/g, withoutLeadingZeroes);
  }
}

function withoutLeadingZeroes(digits: string): string {
  return digits.replace(/^0+(?=.)/, "");
}

/** Appendix A step (6), variant P. */
export function removeEmptySegments(parts: Parts): void {
  parts.segments = parts.segments.filter((segment) => segment !== "");
}

const EXTENSIONS: readonly (readonly [from: string, to: string])[] = [
  [".html", ".htm"],
  [".jpeg", ".jpg"],
  [".text", ".txt"],
  [".ram", ".ra"],
];

/** Appendix A step (7), variant P. */
export function shortenExtension(parts: Parts): void {
  const last = parts.segments.at(-1) ?? "";
  const rule = EXTENSIONS.find(([from]) => last.endsWith(from));
  if (rule === undefined) return;
  const [from, to] = rule;
  parts.segments[parts.segments.length - 1] = last.slice(0, -from.length) + to;
}

/** Appendix A step (8). The segment is emptied and keeps its `/`, as in the draft's examples. */
export function removeIndexFile(parts: Parts): void {
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
export function recompose(parts: Parts): string {
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
