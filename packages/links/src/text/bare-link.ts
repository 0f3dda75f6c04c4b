import { tryParseUrl } from "@x/canon";
import { hasTopLevelDomain } from "../top-level.ts";
import { isBareHost } from "./bare-host.ts";
import { cleanUrl } from "./clean.ts";
import { ASCII_HOST_BEFORE, type LinkInText, linkEnd, startOfGlued } from "./link-end.ts";
import { DOTS, EAST_ASIAN, LONGEST_LOOK_BACK } from "./patterns.ts";

const EAST_ASIAN_START = new RegExp(
  `^[${EAST_ASIAN}]+(?=[a-z\\d][\\x21-\\x7e]*(?:$|[${EAST_ASIAN}]))`,
  "i",
);
/** The start of a wildcard for all hosts in a domain, as in `*.evil.example`. */
const WILDCARD = /(?:^|[\s"'(<=,;|])\*\.$/;
/** An ellipsis after a word, as in `here...evil.example`. In programs, dots without a word before them are an operator. */
const AFTER_DOTS = /[\p{L}\p{N}]\.{2,8}$/u;
const DEFANGED_AT = /(?:[[({]\s?(?:at|@)\s?[\])}]|@)\s?$/i;
/** The number of code units after a host that are examined. */
const LONGEST_LOOK_AHEAD = 20;

/** The readings of a link that starts with a host. `limit` is the index at which a URL with a scheme starts. */
export function bareLink(
  text: string,
  run: string,
  offset: number,
  match: RegExpExecArray,
  limit: number,
): readonly LinkInText[] {
  let start = match.index;
  let hostEnd = Math.min(start + match[0].length, limit);
  const written = run.slice(start, hostEnd);
  const skipped = EAST_ASIAN_START.exec(match.groups!["host"]!)?.[0].length ?? 0;
  start += skipped;
  const look = text.slice(Math.max(0, offset + start - LONGEST_LOOK_BACK), offset + start);
  const before = look.slice(-1);
  const hyphens = /^-*/.exec(run.slice(start, hostEnd))![0].length;
  start += hyphens;
  if (hyphens > 1 && run.charAt(hostEnd) === "=") return [];
  const isWildcard = WILDCARD.test(look) && hyphens === 0;
  if (skipped === 0 && !isWildcard) {
    const isAfterDots = AFTER_DOTS.test(look) || (before === "." && /^www\./i.test(written));
    if (DEFANGED_AT.test(look) || (!isAfterDots && /[.$#%\p{L}\p{N}_-]/u.test(before))) return [];
  }
  // Before the slashes, the scheme may be missing, or written in a way that no program knows.
  const isAfterSlashes = /(?:(?:^|[^\w/\\.~%-])\/|:\/[\])}])\/$/.test(look);
  if (/[/\\]/.test(before) && !isAfterSlashes) return [];
  hostEnd = trimmedHost(run, start, hostEnd, written.length);
  // In Markdown, underscores around a host are emphasis: _a.example_.
  if (run.charAt(hostEnd) === "_") while (run.charAt(start) === "_" && start < hostEnd) start++;
  let end = hostEnd;
  const following = run.slice(hostEnd, hostEnd + 4);
  if (/^(?:@|[[({]\s?(?:at|@))/i.test(following)) return [];
  if (/^(?:[/?#]|[[({]\/)/.test(following)) {
    end = Math.max(hostEnd, linkEnd(run, { start, hostStart: hostEnd, hostEnd, before }));
  }
  for (;;) {
    const clean = cleanUrl(run.slice(start, end));
    const { url, isDefanged } = clean;
    const canonical = tryParseUrl(`http://${url}`);
    if (canonical === null) return [];
    const host = /^[^/?#:]*/.exec(url)![0];
    const isHost = isBareHost({
      written: run.slice(start, hostEnd),
      host,
      canonical,
      isDefanged,
      rest: url.slice(host.length),
      next: run.charAt(end),
      before: look,
      after: text.slice(offset + end, offset + end + LONGEST_LOOK_AHEAD),
    });
    const shorter = ASCII_HOST_BEFORE.exec(run.slice(start, hostEnd))?.[0].length;
    const isShorter = shorter !== undefined && start + shorter < end;
    if (isHost && (!isShorter || hasTopLevelDomain(canonical.host))) {
      const first = offset + start - (isAfterSlashes ? 2 : 0);
      const toLink = (last: number, { url, isDefanged }: typeof clean): LinkInText => ({
        start: first,
        end: offset + last,
        url: `http://${url}`,
        isDefanged,
      });
      const glued = startOfGlued(run, hostEnd, end);
      if (glued === null) return [toLink(end, clean)];
      const place = { start, hostStart: hostEnd, hostEnd, before };
      const shorterEnd = linkEnd(run.slice(0, glued), place);
      return [toLink(end, clean), toLink(shorterEnd, cleanUrl(run.slice(start, shorterEnd)))];
    }
    if (!isShorter) return [];
    end = start + shorter;
  }
}

const END_OF_HOST = new RegExp(`[.${DOTS}\\])}_-]`);

/** The end of a host, without trailing dots and brackets that belong to the text. */
function trimmedHost(run: string, start: number, end: number, length: number): number {
  let last = end;
  while (last > start && length > 0 && END_OF_HOST.test(run.charAt(last - 1))) last--;
  return last;
}
