import { asciiLowerCase } from "../ascii.ts";
import { DEFAULT_PORTS } from "./default-ports.ts";
import type { Parts } from "./parts.ts";
import { withMark } from "./reference.ts";

/** Appendix A step (3). A port is a number: `:080` is 80. */
export function deleteDefaultPort(parts: Parts): void {
  if (withoutLeadingZeroes(parts.port) === DEFAULT_PORTS.get(parts.scheme)) parts.port = "";
}

/**
 * Appendix A step (4), variant N. The scheme is in lower case since step (1). The hexadecimal digits of
 * an IPv6 address, of which the text does not know, go with the domain names.
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

/** RFC 2396's `IPv4address`: any four groups of digits, for no host name ends in a label of digits. */
const IPV4_ADDRESS = /^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$/;
const IPV6_ADDRESS = /^\[[0-9a-f:.]+\]$/;

/** Appendix A step (5). Octets are decimal, and one digit of each number stays. */
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

/** Appendix A step (8). The segment is emptied and keeps its `/`, as the text's examples print it. */
export function removeIndexFile(parts: Parts): void {
  const last = parts.segments.at(-1);
  if (parts.scheme !== "http" || (last !== "index.htm" && last !== "index.html")) return;
  parts.segments[parts.segments.length - 1] = "";
}

/**
 * Appendix A step (9), and what step (1) retained of query and fragment behind it.
 *
 * An empty authority loses its `//`, except before a path that itself begins with `//`: by the letter
 * `file:////a/b` would become `file://a/b`, which names a host.
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
