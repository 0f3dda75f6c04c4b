import { COLON, DOT, isAscii, isDigit } from "../ascii.ts";
import { decodeUtf8 } from "../utf8.ts";
import type { UrlParts } from "./url-parts.ts";
import { FORBIDDEN_IN_DOMAIN, mapHost } from "./uts46.ts";

/** The host and port of an authority, which are everything after its last `@`. */
export function dropUserinfo(authority: string): string {
  return authority.slice(authority.lastIndexOf("@") + 1);
}

/**
 * The host of a host and port (RFC 2396 §3.2.2). A port is a colon and any number of digits. Anything else after a
 * colon stays part of the host. `host:1:2` loses both ports.
 */
export function dropPort(hostAndPort: string): string {
  const start = leadingDots(hostAndPort);
  return hostAndPort.slice(0, trimmedEnd(hostAndPort, start, { dots: false }));
}

/**
 * Removes the dots at both ends. A port before the dots, as in `host:80.`, is removed too: without the
 * dots, it would be a port in the canonical URL.
 */
export function trimDots(host: string): string {
  const start = leadingDots(host);
  return host.slice(start, trimmedEnd(host, start, { dots: true }));
}

function leadingDots(text: string): number {
  let i = 0;
  while (text.charCodeAt(i) === DOT) i++;
  return i;
}

/**
 * The index at which the ports at the end of a host start. With `dots`, dots between and after the ports count, too.
 */
function trimmedEnd(text: string, start: number, { dots }: { dots: boolean }): number {
  // After a bracket that is never closed, a colon belongs to something meant as an IPv6 address.
  const ports = text[start] !== "[" || text.includes("]", start);
  let end = text.length;
  for (;;) {
    while (dots && end > start && text.charCodeAt(end - 1) === DOT) end--;
    let colon = end - 1;
    while (isDigit(text.charCodeAt(colon))) colon--;
    if (!ports || text.charCodeAt(colon) !== COLON) return end;
    end = colon;
  }
}

export function collapseDots(host: string): string {
  return host.includes("..") ? host.replace(/\.{2,}/g, ".") : host;
}

/**
 * Converts an internationalized domain name to ASCII by UTS #46. A host keeps its bytes if it is not UTF-8, if UTS #46
 * refuses it or cannot decide it, or if its mapping would contain a delimiter.
 */
export function convertIdn(parts: UrlParts): void {
  const { host } = parts;
  if (isAscii(host)) return;
  // IDNA refuses the extra dots that the next steps remove, although it may accept the canonical form.
  const name = decodeUtf8(collapseDots(trimDots(host)));
  if (name === null) return;
  const { ascii, problem } = mapHost(name);
  parts.isHostUndecided = problem === "undecided";
  if (ascii !== null && !FORBIDDEN_IN_DOMAIN.test(ascii)) parts.host = ascii;
}
