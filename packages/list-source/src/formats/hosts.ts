import { setOf, words } from "../text.ts";
import type { LineParser, ListFormat, Output } from "./format.ts";

/** A number in an IPv4 address. Resolvers accept no leading zero. */
const NUMBER = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
/** A building block for regular expressions: an IP address as in hosts files. */
const ADDRESS_PATTERN = `(?:0|${NUMBER}(?:\\.${NUMBER}){3}|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[0-9A-Za-z]+)?)`;
/** A building block for regular expressions: an address that leads nowhere, or to the machine itself. */
const BLOCKING_PATTERN = `(?:0\\.0\\.0\\.0|127(?:\\.${NUMBER}){3}|0{0,4}::0{0,3}[01]?|(?:0{1,4}:){7}0{0,3}[01]|::[Ff]{4}:(?:0\\.0\\.0\\.0|127\\.0\\.0\\.1))`;
const ADDRESS = new RegExp(`^${ADDRESS_PATTERN}$`);
const BLOCKING = new RegExp(`^${BLOCKING_PATTERN}$`);

const WHOLE_TARGET = /^(?:#|\.|rpz-drop\.|0\.0\.0\.0|127\..*)$/i;

/** Names that hosts files use for the machine itself and its network. Such usual lines are not reported. */
const LOCAL_NAMES: ReadonlySet<string> = setOf(
  "localhost localhost.localdomain localhost4 localhost4.localdomain4 localhost6 localhost6.localdomain6 local " +
    "broadcasthost ip6-localhost ip6-loopback ip6-localnet ip6-mcastprefix ip6-allnodes ip6-allrouters ip6-allhosts",
);

/** A quick check for most names: only a name that matches can be local. */
const MAY_BE_LOCAL = /^(?:local|broadcast|ip6-|0|127\.)/i;
/** The address that Debian writes before the machine's own name, as section 5.1.1 of the Debian Reference explains. */
const OWN_ADDRESS = "127.0.1.1";
/** A short form of 0.0.0.0 in old hosts files. */
const SHORT_ADDRESS = "0";
const SEVERAL_WORDS = /[ \t#]/;

/**
 * The beginnings of local names, which may follow any address. Other names need a dot, or a blocking address before
 * them.
 */
const LOCAL = "local\\b|localhost|broadcasthost|ip6-";

/** Lines with an address and its names: `0.0.0.0 evil.example # why`. */
export const hosts: ListFormat = {
  name: "hosts",
  title: "a hosts file",
  shape: {
    code: "hosts-line",
    found: "a line of a hosts file",
    pattern: new RegExp(
      `^\\s*(?:${SHORT_ADDRESS}|${BLOCKING_PATTERN})\\s+[^\\s,;|/]*[A-Za-z]|^\\s*${ADDRESS_PATTERN}\\s+(?:${LOCAL}|(?=[^\\s,;|]*[A-Za-z\\u0080-\\uffff])(?=[^\\s,;|/]*\\.)[^\\s,;|/]+(?:\\s|$)|0\\.0\\.0\\.0\\s*$)`,
    ),
  },
  parser: hostsParser,
};

/** Matches a word that cannot be a name. After names, such a word begins a remark, as in `// see good.example`. */
const REMARK = /^[^\p{L}\p{N}._*-]|^[^.\u3002]*$/u;

function hostsParser(output: Output): LineParser {
  /** The address of the previous line. The next line nearly always has the same one. */
  let known = "";
  let blocks = false;

  function isKnownAddress(text: string): boolean {
    if (text === known) return true;
    if (!isAddress(text)) return false;
    known = text;
    blocks = text === SHORT_ADDRESS || isBlockingAddress(text);
    return true;
  }

  function readName(name: string) {
    const isLocal =
      MAY_BE_LOCAL.test(name) && (LOCAL_NAMES.has(name.toLowerCase()) || isBlockingAddress(name));
    if (isLocal) return;
    if (known === OWN_ADDRESS) output.notApplicable(name);
    else if (!blocks) output.refuse("address-not-blocking", `${known} ${name}`);
    else output.entry(name, "host");
  }

  /** The name on a line with only one name and the same address as the line before, as nearly all lines have. */
  function onlyName(line: string): string | null {
    if (line[known.length] !== " " || !line.startsWith(known)) return null;
    const name = line.slice(known.length + 1);
    return SEVERAL_WORDS.test(name) ? null : name;
  }

  return {
    line(line) {
      const name = onlyName(line);
      if (name !== null) return readName(name);
      const end = line.indexOf("#");
      const text = end < 0 ? line : line.slice(0, end).trimEnd();
      if (text === "") return;
      const names = words(text);
      if (!isKnownAddress(names[0]!)) return output.refuse("address-missing", line);
      if (names.length === 1) output.refuse("name-missing", line);
      for (let i = 1; i < names.length; i++) {
        const name = names[i]!;
        const isRemark = i < names.length - 1 && REMARK.test(name) && !LOCAL_NAMES.has(name);
        if (isRemark) return output.refuse("host-expected", names.slice(i).join(" "));
        readName(name);
      }
    },
  };
}

/** Whether `text` is an IP address as in hosts files. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Whether an address leads nowhere, or to the machine itself. */
export function isBlockingAddress(address: string): boolean {
  return BLOCKING.test(address);
}

/**
 * Whether a blocking target of dnsmasq or a zone is complete, or can only be the beginning of another blocking target.
 */
export function isWholeTarget(target: string): boolean {
  return WHOLE_TARGET.test(target);
}
