import { setOf, words } from "../text.ts";
import { ADDRESS_PATTERN, BLOCKING_PATTERN, isAddress, isBlockingAddress } from "./addresses.ts";
import type { LineParser, ListFormat, Output } from "./format.ts";

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
