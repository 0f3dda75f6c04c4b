import { DOT, hexValue } from "./ascii.ts";
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from "./steps/ip-address.ts";
import { resolveDotSegments } from "./steps/path.ts";
import { type EscapedBytes, escapeBytes, escapedBytes } from "./steps/percent-escapes.ts";
import { encodeUtf8 } from "./utf8.ts";

// The parts of a URL with a special scheme as the URL Standard reads and writes them. The platform's `URL` is not used,
// because on some platforms it is missing or follows other rules.

/** The default port of each special scheme except `file`, which has none. */
const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
  ["ws", 80],
  ["wss", 443],
  ["ftp", 21],
]);

/**
 * A percent-encode set of the URL Standard: controls, bytes above ASCII, and `others` (section "Percent-encoded
 * bytes").
 */
function percentEncodeSet(others: string): EscapedBytes {
  return escapedBytes(
    (byte) => byte < 0x20 || byte > 0x7e || others.includes(String.fromCharCode(byte)),
  );
}

const X = 0x78;

const OF_PATH = percentEncodeSet(' "#<>?^`{}');
const OF_QUERY = percentEncodeSet(" \"#<>'");
const OF_FRAGMENT = percentEncodeSet(' "<>`');

/**
 * Returns the host as it appears in a URL, or `null` when it has the form of an address but is not one. `host` must be
 * in lower case and without forbidden characters.
 *
 * @see URL Standard, section "Host parsing"
 */
export function formatHost(host: string): string | null {
  if (host.startsWith("[")) {
    const groups = host.endsWith("]") ? parseIpv6(host.slice(1, -1)) : null;
    return groups === null ? null : `[${formatIpv6(groups)}]`;
  }
  if (!endsInNumber(host)) return host.replaceAll(" ", "%20");
  const address = readIpv4(host.endsWith(".") ? host.slice(0, -1) : host);
  return address === null ? null : formatIpv4(address);
}

/** Like {@link parseIpv4}, but a part may also be `0x` without digits, which is zero. */
export function readIpv4(host: string): number | null {
  return parseIpv4(host.replace(/(^|\.)0x(?=\.|$)/gi, "$10"));
}

/** Whether the last label is a number, so that the host has to be an address. */
function endsInNumber(host: string): boolean {
  // A fast path, because most top-level domains end in a letter that no address can end in.
  const last = host.charCodeAt(host.length - 1);
  if (hexValue(last) < 0 && last !== DOT && last !== X) return false;
  return /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$/.test(host);
}

/**
 * Returns the port as it appears in a URL, with its colon. The result is empty for the default port, and `null` when
 * the text is not a port. `port` is the text between the host and the path.
 */
export function formatPort(port: string, scheme: string): string | null {
  if (port === "") return "";
  const digits = /^:?0*([0-9]*)$/.exec(port)?.[1];
  if (digits === undefined || digits.length > 5 || Number(digits) > 0xffff) return null;
  const hasPort = /[0-9]$/.test(port) && Number(digits) !== DEFAULT_PORTS.get(scheme);
  return hasPort ? `:${Number(digits)}` : "";
}

/** Returns the path, query and fragment as they appear in a URL. `rest` is the text after the authority, as written. */
export function formatRest(rest: string): string {
  const hash = rest.indexOf("#");
  const end = hash < 0 ? rest.length : hash;
  const mark = rest.slice(0, end).indexOf("?");
  const pathEnd = mark < 0 ? end : mark;
  const path = formatPath(rest.slice(0, pathEnd));
  const query = escapeBytes(encodeUtf8(rest.slice(pathEnd, end)), OF_QUERY);
  return path + query + escapeBytes(encodeUtf8(rest.slice(end)), OF_FRAGMENT);
}

function formatPath(written: string): string {
  if (written === "") return "/";
  return resolveSegments(escapeBytes(encodeUtf8(written.replaceAll("\\", "/")), OF_PATH));
}

/** Resolves dot segments, some of whose dots may be escaped. The path begins with a slash. */
export function resolveSegments(path: string): string {
  if (!/%2e/i.test(path)) return resolveDotSegments(path);
  const unescaped = path
    .replace(/\/%2e(?=\/|$)/gi, "/.")
    .replace(/\/(?:\.|%2e){2}(?=\/|$)/gi, "/..");
  return resolveDotSegments(unescaped);
}
