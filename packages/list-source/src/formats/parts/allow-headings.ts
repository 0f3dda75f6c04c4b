import { announcesAllowed } from "./allow-phrases.ts";

/*
 * Plain lists may have sections of allowed names, under a heading such as `# Whitelist` or `[allow]`. Only the heading
 * distinguishes these names from blocked ones.
 */

/** A building block for regular expressions: words that mean "allowed" in headings and remarks. */
export const ALLOWED_PATTERN: string =
  "white[-_ ]?list(?:ed)?|allow(?:ed|ing|[-_ ]?list(?:ed)?)?|exceptions?(?:[-_ ]?list)?|exclu(?:ded|sions?)|false[-_ ]?positives?|safe[-_ ]?list|trusted|unblock(?:ed)?|passthru";
/** Words that mean "allowed" only as a whole heading. They also occur in names of lists, such as `Safe Browsing`. */
const ALLOWED_ALONE =
  "safe|not[-_ ]blocked|legit(?:imate)?|benign|harmless|known[-_ ]?good|good[-_ ]?list|permit(?:ted)?|approved|wei(?:ss|ß)e liste|ausnahmen|erlaubt(?:e)?|liste blanche|autoris[ée]e?s?|lista blanca|permitid[oa]s|excepciones|lista branca|exce[çc][õo]es|lista bianca|eccezioni";
const AROUND =
  "the|my|our|global|local|custom|user|personal|permanent|domains?|hosts?|urls?|sites?|dns|names?|entries|rules?|lists?|files?|begin|start|section|" +
  "following|these|those|this|all|below|next|are|is|were|known|listed|column";
/** An addition to a heading, as in `Whitelist (do not block)`. */
const NOT_BLOCKED =
  "(?:\\W+(?:do not|don't|never) (?:block|add|list)(?: (?:them|these|this|it))?)?";
/** Matches a statement about a list, such as `This list is safe`, which says nothing about the names in it. */
const ABOUT_LIST = /\b(?:list|file)s?\s+(?:is|are)\b/i;
/**
 * Headings such as `Removed (false positives)` and `False positives reported by users`. A sentence that goes on, or has
 * a URL, is not a heading.
 */
const REMOVED =
  "removed\\W+(?:as|from (?:the )?list)?\\W*false[-_ ]?positives?|false[-_ ]?positives?\\s+reported(?:\\s+by\\s+\\w+)?";
/** Matches a comment that is a heading of allowed names, perhaps with lines or stars around it. */
const HEADING = new RegExp(
  `^\\W*(?:(?:(?:${AROUND})[\\s_]+)*(?:${ALLOWED_PATTERN}|${ALLOWED_ALONE})(?:[\\s_]+(?:${AROUND}))*${NOT_BLOCKED}|(?:do not|don't|never) (?:block|add)(?: (?:these|those|this|them|the following))?(?:\\s+(?:${AROUND}))*|${REMOVED})\\W*$`,
  "i",
);
/** Matches headings of allowed names in other scripts. */
const OTHER_HEADING =
  /^[\s#!;=*~+([-]*(?:белый список|исключения|разрешенн?ые|разрешённые|白名单|白名單|允许|許可|例外|ホワイトリスト|화이트리스트)[\s:\uff1a=*~+)\]-]*$/i;
/** Matches a comment with the name of a list, such as `# Title: Allowlist for shops`. */
const TITLE = new RegExp(
  `^\\W*(?:title|name|list|list ?name|list ?category|category|type)\\s*[:=].*\\b(?:${ALLOWED_PATTERN})\\b`,
  "i",
);
const ALLOW_LIST = /\b(?:white|allow)[-_ ]?list/i;
/** Matches the introduction of exception files of DansGuardian and E2Guardian. */
const EXCEPTION_LIST =
  /\b(?:sites?|urls?|domains?|ips?|names?|hosts?)\s+in\s+(?:the\s+)?(?:exception|white|allow|grey)\s*list/i;
const BLOCKED =
  /block|black|deny|denied|\bban|malware|malicious|phish|scam|fraud|\bads?\b|track|threat|spam|abuse|bad\b/i;
/**
 * Phrases that do not say that anything is blocked, although they contain a word that does, such as `ad-blocking` and
 * `not malicious`.
 */
const NOT_A_BLOCK =
  /\b(?:ad|un|non)[-_ ]?block\w*|\bblock(?:ing|ers?)\b|(?:\b(?:not?|never|nicht|keine?)|n['’]t)\s+(?:(?:be|to|an?)\s+)*[\w-]+/gi;
/** A longer comment is a remark, not a heading. */
const MOST_WORDS_OF_HEADING = 10;
export const LONGEST_HEADING = 200;
/** Matches the head of a section, but neither an IPv6 address nor the header of an Adblock list. */
const SECTION = /^\[\[?(?![\da-f:.]*:[\da-f:.]*\])(?!ad|abp|ublock)([a-z][\w .:/-]*)\]\]?$/i;
/** Matches a heading that is not a comment: `Allowed:` or `==== WHITELIST ====`. */
const BARE_HEADING = /^(?:([a-z][a-z _-]*):|([=*~+-])\2+ *([a-z][a-z _-]*?) *(?:\2+)?)$/i;
/** Matches a line that is a heading, but not a comment: `Whitelist`, `allowed_domains` or `// Allow list`. */
const BARE_ALLOWED = new RegExp(
  `^/{0,2}\\s*(?:(?:${AROUND})[\\s_]+)*(?:${ALLOWED_PATTERN})(?:[\\s_]+(?:${AROUND}))*:?$`,
  "i",
);
const BARE_BLOCKED =
  /^\/{0,2}\s*(?:(?:block|black|deny|ban)[-_ ]?list(?:ed)?|block(?:ed)?|den(?:y|ied)|banned)(?:[\s_]+(?:domains?|hosts?|urls?|sites?|names?|entries))?:?$/i;
/** Matches a comment of another kind of file: `/* Whitelist *\/` or `% Whitelist`. */
const OTHER_COMMENT = /^(?:\/\/|\/\*|%|--|<!--|')/;
const IS_ALLOWED = new RegExp(
  `^(?:${ALLOWED_PATTERN}|${ALLOWED_ALONE})$|^(?:${ALLOWED_PATTERN})[-_ .:]|[-_ .:](?:${ALLOWED_PATTERN})$`,
  "i",
);

/** Whether a line is the head of a section, such as `[allow]`. */
export function isSectionHead(line: string): boolean {
  return line.startsWith("[") && line.length < LONGEST_HEADING && SECTION.test(line);
}

/** The name in the head of a section, or in a heading that is not a comment. */
function nameIn(line: string): string | null {
  if (line.length > LONGEST_HEADING) return null;
  if (line.startsWith("[")) return SECTION.exec(line)?.[1] ?? null;
  if (line.includes(".")) return null;
  const [, before, , between] = BARE_HEADING.exec(line) ?? [];
  return before ?? between ?? null;
}

/** Whether a comment is a heading of allowed names. */
export function saysAllowed(comment: string): boolean {
  if (comment.length > LONGEST_HEADING) return false;
  if (HEADING.test(comment) && !ABOUT_LIST.test(comment)) return true;
  return OTHER_HEADING.test(comment) || announcesAllowed(comment);
}

/** Whether a comment says that the names after it are blocked. */
function announcesBlocked(comment: string): boolean {
  if (!BLOCKED.test(comment.replace(NOT_A_BLOCK, ""))) return false;
  return comment.split(/\s+/).length <= MOST_WORDS_OF_HEADING;
}

/** Keeps track of the headings in a list, line by line. */
export interface Sections {
  /** Whether the current line is under a heading of allowed names. */
  isAllowed(): boolean;
  /** Whether the title of the list says that it is an allow list. */
  isAllowList(): boolean;
  comment(line: string): void;
  /**
   * Reads a line that may be the head of a section, such as `[allow]` or `Allowed:`. Returns null if the name says
   * nothing.
   */
  head(line: string): "allowed" | "blocked" | null;
}

export function sections(): Sections {
  let isAllowed = false;
  let isAllowList = false;
  return {
    isAllowed: () => isAllowed,
    isAllowList: () => isAllowList,
    comment(line) {
      if (line.length > LONGEST_HEADING) return;
      const isTitle = TITLE.test(line) && !/(?:block|black|deny)[-_ ]?list/i.test(line);
      if (isTitle && ALLOW_LIST.test(line)) isAllowList = true;
      if (isTitle || saysAllowed(line) || EXCEPTION_LIST.test(line)) isAllowed = true;
      else if (isAllowed && announcesBlocked(line)) isAllowed = false;
    },
    head(line) {
      const name = nameIn(line);
      if (name === null) return bareHead(line);
      isAllowed = IS_ALLOWED.test(name) || saysAllowed(name);
      if (isAllowed) return "allowed";
      return BLOCKED.test(name) ? "blocked" : null;
    },
  };

  function bareHead(line: string): "allowed" | "blocked" | null {
    if (line.length > LONGEST_HEADING || line.includes(".")) return null;
    if (BARE_ALLOWED.test(line)) {
      isAllowed = true;
      return "allowed";
    }
    // No entry of a list contains a blank, so a line with one may be a heading without a comment sign.
    if ((line.includes(" ") || OTHER_COMMENT.test(line)) && saysAllowed(line)) {
      isAllowed = true;
      return "allowed";
    }
    const isBlocked =
      BARE_BLOCKED.test(line) || (isAllowed && OTHER_COMMENT.test(line) && BLOCKED.test(line));
    if (!isBlocked) return null;
    isAllowed = false;
    return "blocked";
  }
}
