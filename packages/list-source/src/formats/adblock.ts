import type { RefusalCode } from "../problems.ts";
import { setOf } from "../text.ts";
import type { LineParser, ListFormat, Output, ParserOptions } from "./format.ts";
import { hosts, isAddress, isBlockingAddress } from "./hosts.ts";

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

function adblockParser(output: Output, options: ParserOptions): LineParser {
  const hostsLines = hosts.parser(output, options);
  /**
   * Whether this rule, or an earlier one, has options or is cosmetic. If such a rule were cut short, it would block
   * more.
   */
  let isNarrower = false;
  let sawNarrower = false;
  /** The number of open `!#if` blocks, and whether a hint says that the next rule is for only some clients. */
  let depth = 0;
  let isForPlatform = false;

  function readDirective(line: string): void {
    if (PLATFORM.test(line)) isForPlatform = true;
    else if (INCLUDE.test(line)) output.refuse("directive", line);
    else if (IF.test(line)) depth++;
    else if (END_IF.test(line)) depth = Math.max(0, depth - 1);
  }

  return {
    line(line, raw) {
      if (isNarrower) sawNarrower = true;
      isNarrower = false;
      if (line.startsWith("!")) return readDirective(line);
      // Rules for only some clients are refused, one by one, so that nobody can drop the rest of a list unnoticed.
      const isLimited = depth > 0 || isForPlatform;
      isForPlatform = false;
      if (isLimited && !HEADER.test(line) && !REMARK.test(line)) {
        if (COSMETIC.test(line)) output.notApplicable(line);
        else output.refuse("directive", line);
        return;
      }
      // A fast path for most rules.
      if (PLAIN_RULE.test(line)) return output.entry(line.slice(2, -1), "rule");
      if (HEADER.test(line) || REMARK.test(line)) return;
      if (line.startsWith("@@")) {
        if (output.exception === undefined) return output.refuse("exception", line);
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

  /** @param take receives the host or URL of the rule, as an entry or an exception. */
  function readRule(rule: string, take: Output["entry"]) {
    const start = rule.lastIndexOf("$");
    const options = start < 0 ? "" : rule.slice(start + 1);
    const hasOptions = OPTIONS.test(options);
    const pattern = hasOptions ? rule.slice(0, start) : rule;
    if (hasOptions) {
      isNarrower = true;
      const problem = optionsProblem(options, pattern);
      if (problem === "not-applicable") return output.notApplicable(rule);
      if (problem !== null) return output.refuse(problem, rule);
    }
    readPattern(pattern, { rule, take, output });
  }
}

interface RuleReading {
  readonly rule: string;
  readonly take: Output["entry"];
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

/**
 * Matches the options of a rule, which follow its last `$`. If the text there does not match, it belongs to the
 * pattern.
 */
const OPTIONS = /^~?[a-z0-9_-]+(?:=[^,]*)?(?:,~?[a-z0-9_-]+(?:=[^,]*)?)*$/i;

/** Options that do not change which URLs a rule blocks. Lists are case-sensitive in paths anyway. */
const NEUTRAL = setOf("important match-case reason noop");

/** Types of requests. A rule with types blocks people who open a URL only if one of the types is for pages. */
const PAGE_TYPES = setOf("document doc all");
const OTHER_TYPES = setOf(
  "script image stylesheet css font media object object-subrequest subdocument frame xmlhttprequest xhr " +
    "websocket webrtc ping beacon other popup popunder inline-script inline-font",
);

/** Options that disable another rule, or exclude domains from this one. */
const EXCEPTIONS = setOf("badfilter denyallow");

/**
 * Options that limit a rule to some pages, clients or answers, or that change content instead of blocking it. As a list
 * entry, such a rule would also block people who open the URL directly: `||social.example^$third-party` is meant
 * for buttons on other sites.
 */
const NARROWING = setOf(
  "third-party 3p first-party 1p strict1p strict3p domain from to method app client ctag dnstype dnsrewrite " +
    "network csp permissions redirect redirect-rule rewrite removeparam queryprune removeheader header replace " +
    "urltransform uritransform urlskip cookie hls jsonprune xmlprune stealth extension jsinject urlblock content " +
    "elemhide ehide generichide ghide specifichide shide genericblock ipaddress empty mp4 sitekey",
);

const KNOWN = [NEUTRAL, PAGE_TYPES, OTHER_TYPES, NARROWING];

/** Why a rule with these options is no entry; `null` if it blocks all people who open a URL of the pattern. */
function optionsProblem(text: string, pattern: string): RefusalCode | "not-applicable" | null {
  const options = optionsIn(text);
  const names = options.map(({ name }) => name);
  if (names.some((name) => EXCEPTIONS.has(name))) return "exception";
  const plain = names.map((name) => name.replace(/^~/, ""));
  if (!plain.every((name) => KNOWN.some((known) => known.has(name)))) return "option-unknown";
  const hasTypes = plain.some((name) => PAGE_TYPES.has(name) || OTHER_TYPES.has(name));
  const blocksPages =
    !hasTypes ||
    (names.some((name) => PAGE_TYPES.has(name)) &&
      !names.some((name) => name.startsWith("~") && PAGE_TYPES.has(name.slice(1))));
  const limits = options.filter((option, i) => NARROWING.has(plain[i]!) && !isNoAnswer(option));
  if (!blocksPages || !limits.every(onlyExcludes)) return "not-applicable";
  return limits.some((limit) => excludesVisitors(limit, pattern)) ? "exception" : null;
}

interface RuleOption {
  /** In lower case, with a "~" before a negated option. */
  readonly name: string;
  readonly value: string;
}

function optionsIn(text: string): RuleOption[] {
  return (
    text
      .toLowerCase()
      .split(",")
      .map((option) => {
        const [, name = "", value = ""] = /^([^=]*)=?(.*)$/s.exec(option)!;
        return { name, value };
      })
      // uBlock Origin ignores options that are only underscores.
      .filter(({ name }) => !/^_+$/.test(name))
  );
}

/** Whether an option makes AdGuard Home block a host with `NXDOMAIN`, `REFUSED` or a blocking address. */
function isNoAnswer({ name, value }: RuleOption): boolean {
  if (name !== "dnsrewrite") return false;
  const address = /^(?:noerror;(?:a|aaaa);)?([\d.:]+)$/.exec(value)?.[1];
  return (
    /^(?:nxdomain|refused)(?:;;)?$/.test(value) ||
    (address !== undefined && isBlockingAddress(address))
  );
}

/** Options whose values are lists of pages or requested hosts. */
const LISTS_OF_HOSTS = setOf("domain from to");
/** Options whose values are lists of anything but hosts. */
const OTHER_LISTS = setOf("method app client ctag dnstype ipaddress");
const ONLY_EXCLUDED = /^\|*~[^|]*(?:\|(?:~[^|]*)?)*$/;
const HOST_OF_PATTERN = /^\|{0,2}(?:https?:\/\/)?(?:\*\.)?([^/^|*?:]*)/i;
const HOST_NAME = /^[a-z0-9_.-]{1,253}$/;

/** Whether an option only excludes something from a rule, as in `domain=~a.example|~b.example`. */
function onlyExcludes({ name, value }: RuleOption): boolean {
  return (LISTS_OF_HOSTS.has(name) || OTHER_LISTS.has(name)) && ONLY_EXCLUDED.test(value);
}

/**
 * Whether an option that only excludes may exclude people who open the URL of a rule. Excluded pages matter only if
 * they are pages of the host itself: `||cdn.example^$domain=~cdn.example` blocks only requests of other sites.
 */
function excludesVisitors({ name, value }: RuleOption, pattern: string): boolean {
  if (!LISTS_OF_HOSTS.has(name)) return true;
  const host = HOST_OF_PATTERN.exec(pattern)![1]!.toLowerCase();
  if (!HOST_NAME.test(host)) return true;
  return value.split("|").some((each) => {
    const excluded = each.replace(/^~/, "");
    const isApart = !`.${host}`.endsWith(`.${excluded}`) && !`.${excluded}`.endsWith(`.${host}`);
    return !HOST_NAME.test(excluded) || !isApart;
  });
}
