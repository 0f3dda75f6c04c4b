import type { LineParser, Output } from "./parser.ts";
import { words } from "./words.ts";

/** The beginning of a regular expression: an IP address as hosts files write it. */
export const ADDRESS_PATTERN: string =
  "(?:0|[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[0-9A-Za-z]+)?)";
/** The same for an address that blocks the names that are given to it. */
export const BLOCKING_PATTERN: string =
  "(?:0|0\\.0\\.0\\.0|127(?:\\.[0-9]{1,3}){3}|::1?|0*(?::0*)+:0*1?|::[Ff]{4}:(?:0\\.0\\.0\\.0|127\\.0\\.0\\.1))";
const ADDRESS = new RegExp(`^${ADDRESS_PATTERN}$`);
const BLOCKING = new RegExp(`^${BLOCKING_PATTERN}$`);

const WHOLE_TARGET = /^(?:#|\.|rpz-drop\.|0\.0\.0\.0|127\..*)$/i;

/** Names that hosts files use for the machine itself and its network. */
const LOCAL_NAMES: ReadonlySet<string> = new Set([
  "localhost",
  "localhost.localdomain",
  "localhost4",
  "localhost4.localdomain4",
  "localhost6",
  "localhost6.localdomain6",
  "local",
  "broadcasthost",
  "ip6-localhost",
  "ip6-loopback",
  "ip6-localnet",
  "ip6-mcastprefix",
  "ip6-allnodes",
  "ip6-allrouters",
  "ip6-allhosts",
  "0.0.0.0",
]);

/** Whether a text is an IP address as hosts files write it. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Whether this address blocks the names that are given to it. */
export function isBlockingAddress(address: string): boolean {
  return BLOCKING.test(address);
}

/** Whether no longer text that starts like a blocking target of dnsmasq or a zone is a target that does not block. */
export function isWholeTarget(target: string): boolean {
  return WHOLE_TARGET.test(target);
}

/** Lines with an address and its names: `0.0.0.0 evil.example # why`. */
export function hostsParser(output: Output): LineParser {
  /** The address of the previous line, which is nearly always that of the next one too. */
  let known = "";
  let blocks = false;

  function isKnownAddress(text: string): boolean {
    if (text === known) return true;
    if (!isAddress(text)) return false;
    known = text;
    blocks = isBlockingAddress(text);
    return true;
  }

  function readName(name: string) {
    if (LOCAL_NAMES.has(name.toLowerCase())) output.notApplicable();
    else if (!blocks) output.refuse("address-not-blocking", `${known} ${name}`);
    else output.entry(name, "host");
  }

  return {
    line(line) {
      const end = line.indexOf("#");
      const text = end < 0 ? line : line.slice(0, end).trimEnd();
      if (text === "") return;
      const names = words(text);
      if (!isKnownAddress(names[0]!)) return output.refuse("address-missing", line);
      if (names.length === 1) output.refuse("name-missing", line);
      for (let i = 1; i < names.length; i++) readName(names[i]!);
    },
  };
}
