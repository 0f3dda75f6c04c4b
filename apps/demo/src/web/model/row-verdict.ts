import { tryParseUrl } from "@x/canon";
import {
  checkedUrl,
  disguisesOf,
  foreignRefusal,
  hidesSite,
  inputRecord,
  type Refusal,
} from "@x/explain";
import { lookAtUrl, type UrlLook, unwrapLink } from "@x/links/unwrap";
import { foreignLine, refang } from "@x/list-source";
import type { Checker, LineProblem, UrlVerdict } from "@x/lookup";
import { innerMatches, mayHaveMore, mustBeUrl } from "@x/lookup/inside";
import { IMITATIONS } from "./sites.ts";
import type { JudgedUrl, RowVerdict } from "./verdicts.ts";

type Found = UrlVerdict<LineProblem>;

export interface Judged {
  readonly verdict: RowVerdict;
  /** Makes the record, which takes longer than the verdict. */
  readonly toRecord: () => JudgedUrl;
}

const MAY_HAVE_MORE: Refusal = {
  error: {
    code: "unwrap-limit",
    message: "The URL has more URLs inside than are looked up.",
    expected: "a URL with fewer URLs inside",
    index: null,
    section: null,
  },
};

/** The codes of errors for texts that may be URLs, but have no verdict. */
const UNDECIDED: ReadonlySet<string> = new Set(["host-undecided", "unwrap-limit"]);

/** No link shortener has a longer host. */
const LONGEST_SHORTENER = 11;
const SLASH = 0x2f;

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Judges inputs in the same way as `urlhash check --refang`: wrapped URLs are unwrapped, and defanged URLs are
 * refanged. Records have inputs as they were given.
 */
export function judge({ checkMany }: Pick<Checker, "checkMany">) {
  function judged(input: Uint8Array, found: Found): Judged {
    const foreign = found.matches.length > 0 ? null : foreignLine(input);
    if (foreign?.code === "defanged" && found.error?.code !== "line-too-long") {
      const meant = encoder.encode(refang(decoder.decode(input)));
      const [restored] = checkMany([meant]);
      if (foreignLine(meant) === null) {
        const { verdict, toRecord } = judged(meant, restored!);
        return { verdict, toRecord: () => ({ ...toRecord(), ...inputRecord(input, "url") }) };
      }
    }
    if (foreign !== null) {
      return refused(input, foreignRefusal(input, foreign, "one URL per line"));
    }
    const look = lookAtUrl(input, 0, input.length, IMITATIONS.quickTest());
    const mayHaveUrls = look === "maybe-inside" && found.error?.code !== "line-too-long";
    const inside = mayHaveUrls ? unwrapLink(input) : null;
    const opened = inside === null ? found : open(inside, found);
    if (opened === null) return refused(input, MAY_HAVE_MORE);
    const { matches, safeMatches, error, readings } = opened;
    const toRecord = () => checkedUrl(input, opened);
    if (error !== null) return { verdict: verdictOfError(error), toRecord };
    if (matches.length > 0) return { verdict: "listed", toRecord };
    const isPlain = look === "plain" && readings === null;
    const disguises =
      isPlain || safeMatches.length > 0 ? [] : disguisesOf(input, readings, IMITATIONS);
    if (disguises.length > 0) {
      return { verdict: "disguised", toRecord: () => ({ ...toRecord(), disguises }) };
    }
    const isClosed = look !== "plain" && (inside ?? unwrapLink(input)).closed.length > 0;
    const hidesGoal = isClosed || isHidden(input, readings, look);
    return { verdict: hidesGoal ? "cannot-tell" : "not-listed", toRecord };
  }

  /**
   * The verdict with the matches of the URLs inside; `null` if nothing is listed, but not all URLs inside were found.
   */
  function open(inside: ReturnType<typeof unwrapLink>, found: Found): Found | null {
    const verdicts = [...checkMany(inside.found.map(({ url }) => url))];
    const inner = inside.found.flatMap((each, i) => innerMatches(each, verdicts[i]!));
    const matches = [...found.matches, ...inner];
    if (matches.length > 0) return { ...found, matches, error: null };
    const problem = verdicts.find(({ error }, i) => error !== null && mustBeUrl(inside.found[i]!));
    if (found.error === null && problem?.error != null) {
      return { ...found, error: { code: problem.error.code, index: null } };
    }
    return mayHaveMore(inside, found.error !== null) ? null : found;
  }

  return judged;
}

function refused(input: Uint8Array, refusal: Refusal): Judged {
  return {
    verdict: verdictOfError(refusal.error),
    toRecord: () => ({ ...inputRecord(input, "url"), ...refusal }),
  };
}

function verdictOfError({ code }: { readonly code: string }): RowVerdict {
  return UNDECIDED.has(code) ? "cannot-tell" : "not-a-url";
}

/** Whether nobody can tell where a URL leads. One without `readings` is canonical, so its bytes show its host. */
function isHidden(input: Uint8Array, readings: Found["readings"], look: UrlLook): boolean {
  const start = input.indexOf(SLASH) + 2;
  const isLong = readings === null && input.indexOf(SLASH, start) - start > LONGEST_SHORTENER;
  // A plain URL has a dot in its host.
  if (isLong && look === "plain") return false;
  const url = readings === null ? tryParseUrl(input) : (readings.browser ?? readings.specification);
  return url !== null && hidesSite(url);
}
