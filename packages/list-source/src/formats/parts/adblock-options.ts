import type { RefusalCode } from "../../refusal.ts";
import { isBlockingAddress } from "./addresses.ts";
import { setOf } from "./split-words.ts";

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

/** The pattern and the options of a rule; `null` for a rule without options. */
export function splitRule(rule: string): { pattern: string; options: string | null } {
  const start = rule.lastIndexOf("$");
  const options = start < 0 ? "" : rule.slice(start + 1);
  if (!OPTIONS.test(options)) return { pattern: rule, options: null };
  return { pattern: rule.slice(0, start), options };
}

/** Why a rule with these options is no entry; `null` if it blocks all people who open a URL of the pattern. */
export function optionsProblem(
  text: string,
  pattern: string,
): RefusalCode | "not-applicable" | null {
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
