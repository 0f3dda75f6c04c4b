import type { LineParser, ListFormat, Output, ParserOptions } from "./format.ts";
import { hosts } from "./hosts.ts";
import { optionsProblem, splitRule } from "./parts/adblock-options.ts";
import { isAddress } from "./parts/addresses.ts";

/**
 * Matches rules about parts of pages or their scripts. Rules for URLs (`|…` and `https://…`) are excluded, because
 * their paths may contain the same characters.
 */
const COSMETIC = /^(?!\||https?:\/\/).*?(?:#[@?$%]{0,3}#|\$@?\$)/i;
/** The header of a list, such as `[Adblock Plus 2.0]`. An address or a host in brackets does not match. */
const HEADER =
  /^\[(?:adblock|adguard|abp|ublock|(?![\da-f:.]*\]$)(?![^\s\]]*\.[a-z][^\s\]]*\]$))[^\]]*\]$/i;
const INCLUDE = /^!#include\s/i;
const IF = /^!#if\s/i;
/** Matches a hint of AdGuard that limits the next rule to some platforms. */
const PLATFORM = /^!\+\s.*\b(?:NOT_)?PLATFORM\s*\(/;
const REMARK = /^#(?:\s|$|#+\s|#+$)/;
const END_IF = /^!#endif\b/i;

const PLAIN_RULE = /^\|\|[A-Za-z0-9_.-]+\^$/;
const SCHEME = /^https?:\/\//i;
const BARE_HOST = /^[^\s/:?#@|^*$,&=!~+]+\.[^\s/:?#@|^*$,&=!~+.]+$/;

/** Filter rules of Adblock Plus, uBlock Origin and AdGuard that block hosts and URLs. */
export const adblock: ListFormat = {
  name: "adblock",
  title: "Adblock filter rules",
  shape: {
    code: "adblock-rule",
    found: "an Adblock filter rule",
    pattern:
      /^(?:\|\|?[^\s|]|@@\S|\[adblock|\[adguard|\[ublock)|^[^#\s]*#[@?$%]{1,3}#[^#\s]|^[^#\s]+##[^#\s]|^##(?:[.*[]|#?[a-z])/i,
  },
  parser: adblockParser,
};

/** Receives the host or URL of a rule, as an entry or an exception. */
type Take = Output["entry"];

function adblockParser(output: Output, options: ParserOptions): LineParser {
  const hostsLines = hosts.parser(output, options);
  /**
   * Whether this rule, or an earlier one, has options or is cosmetic. If such a rule were cut short, it would block
   * more.
   */
  let isNarrower = false;
  let sawNarrower = false;
  const directives = directivesOf(output);

  return {
    line(line, raw) {
      if (isNarrower) sawNarrower = true;
      isNarrower = false;
      if (line.startsWith("!")) return directives.read(line);
      if (directives.takeLimit() && !HEADER.test(line) && !REMARK.test(line)) {
        if (COSMETIC.test(line)) output.notApplicable(line);
        else output.refuse("directive", line);
        return;
      }
      // A fast path for most rules.
      if (PLAIN_RULE.test(line)) return output.entry(line.slice(2, -1), "rule");
      if (HEADER.test(line) || REMARK.test(line)) return;
      if (line.startsWith("@@")) {
        if (output.exception === null) return output.refuse("exception", line);
        return readRule(line.slice(2), output.exception);
      }
      if (isAddress(line.slice(0, line.search(/\s|$/))) && /\s/.test(line)) {
        return hostsLines.line(line, raw);
      }
      if (/^\/.*\/(?:\$[^/]*)?$/.test(line)) return output.refuse("regular-expression", line);
      if (COSMETIC.test(line)) {
        isNarrower = true;
        return output.notApplicable(line);
      }
      readRule(line, output.entry);
    },
    lastLine: () => (sawNarrower ? "cut" : isNarrower ? "unsure" : "whole"),
  };

  function readRule(rule: string, take: Take) {
    const { pattern, options } = splitRule(rule);
    if (options !== null) {
      isNarrower = true;
      const problem = optionsProblem(options, pattern);
      if (problem === "not-applicable") return output.notApplicable(rule);
      if (problem !== null) return output.refuse(problem, rule);
    }
    readPattern(pattern, { rule, take, output });
  }
}

/** The directives of a list, which may say that rules are for only some clients. */
interface Directives {
  /** Reads a directive or a comment. */
  read(line: string): void;
  /** Whether the next rule is for only some clients. A hint applies to one rule, and is forgotten afterwards. */
  takeLimit(): boolean;
}

/** Rules for only some clients are refused, one by one, so that nobody can drop the rest of a list unnoticed. */
function directivesOf(output: Output): Directives {
  /** The number of open `!#if` blocks. */
  let depth = 0;
  /** Whether a hint before the next rule says that it is for only some clients. */
  let isForPlatform = false;
  return {
    read(line) {
      if (PLATFORM.test(line)) isForPlatform = true;
      else if (INCLUDE.test(line)) output.refuse("directive", line);
      else if (IF.test(line)) depth++;
      else if (END_IF.test(line)) depth = Math.max(0, depth - 1);
    },
    takeLimit() {
      const isLimited = depth > 0 || isForPlatform;
      isForPlatform = false;
      return isLimited;
    },
  };
}

interface RuleReading {
  readonly rule: string;
  readonly take: Take;
  readonly output: Output;
}

/** Reads the pattern of a rule, without its options. */
function readPattern(pattern: string, reading: RuleReading) {
  const { rule, take, output } = reading;
  if (pattern.startsWith("||")) return readAnchored(pattern.slice(2).replace(/^\*\./, ""), reading);
  if (pattern.startsWith("|") && SCHEME.test(pattern.slice(1))) {
    return readAnchored(pattern.slice(1), reading);
  }
  if (SCHEME.test(pattern)) return readAnchored(pattern, reading);
  // uBlock Origin and AdGuard read a bare host name as "||name^".
  if (BARE_HOST.test(pattern)) return take(pattern, "host");
  output.refuse(pattern.includes("*") ? "wildcard" : "pattern", rule);
}

/** Reads a host, or the beginning of a URL, and the marks at its end. */
function readAnchored(anchored: string, { rule, take, output }: RuleReading) {
  const [, start = "", end = ""] = /^(.*?)((?:\^?\|?|\^?\*|\|))$/.exec(anchored) ?? [];
  if (start.includes("*")) return output.refuse("wildcard", rule);
  if (/[\^|]/.test(start)) return output.refuse("pattern", rule);
  const isOpen = end === "" || end === "*";
  const isHost = !/[/?#]/.test(start.replace(SCHEME, ""));
  if (isHost) {
    // A port without an end mark may continue, too: `:80` also matches `:8080`.
    if (isOpen && /:[0-9]+$/.test(start)) return output.refuse("pattern", rule);
    // Rules for DNS end a host with a bar.
    return take(start, isOpen && !start.endsWith("]") ? "open-rule" : "rule");
  }
  if (start.includes("?")) {
    return take(start, "rule", 1, end === "|" ? undefined : "rule-narrowed");
  }
  if (start.endsWith("/")) {
    // The entry of a folder covers everything below it.
    return isOpen ? take(start, "rule") : output.refuse("pattern", rule);
  }
  if (end === "^" || end === "^*") {
    // The separator matches the end of the URL, a question mark, or the slash of a folder.
    take(start, "rule");
    if (output.accepts(`${start}/`, "rule")) take(`${start}/`, "rule");
    return;
  }
  take(start, "rule", 1, end === "|" ? undefined : "rule-narrowed");
}
