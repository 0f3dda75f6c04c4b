import { asciiLowerCase } from "./ascii.ts";
import { fromCodes, toByteString, toDisplayText } from "./byte-string.ts";
import { CanonError, type UrlProblem } from "./error.ts";
import {
  collapseDots,
  convertIdn,
  dropPort,
  dropUserinfo,
  normalizeIpAddress,
  trimDots,
} from "./steps/host.ts";
import { unescapeRepeatedly } from "./steps/percent-escapes.ts";
import {
  collapseSlashes,
  escapeParts,
  formatParts,
  type HostType,
  removeFragment,
  removeTabCrLf,
  resolveDotSegments,
  splitUrl,
  trimSpaces,
  type UrlParts,
  writtenScheme,
} from "./steps/url-parts.ts";

/** A canonical URL and its parts, so that callers need not parse it again. */
export interface CanonicalUrl {
  /** The whole URL, `scheme://host/path[?query]`, in printable ASCII without spaces. */
  readonly href: string;
  /** The scheme in lower case, without the colon, such as `"http"`. */
  readonly scheme: string;
  /** The host in lower case, without user, password and port. An IPv6 address is in brackets. */
  readonly host: string;
  readonly hostType: HostType;
  /** The path, with dot segments resolved and runs of slashes collapsed. */
  readonly path: `/${string}`;
  /**
   * The query without its question mark. The query is `""` when nothing follows the question mark, and `null` when the
   * URL has no query.
   */
  readonly query: string | null;
}

/**
 * Returns the canonical form of a URL, given as text or as bytes, as the specification's `Canonicalize()` does. The
 * result is the same as the `href` of `parseUrl`.
 *
 * @throws {@link CanonError} `too-long`, `lone-surrogate`, `authority-missing`, `host-missing`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { canonicalize } from "@x/canon";
 *
 * canonicalize("http://3279880203/%2525"); // → "http://195.127.0.11/%25"
 * canonicalize("http:///path"); // throws host-missing
 * ```
 * @see Web Risk, "Hashing URLs", section "Canonicalization" (the same as Safe Browsing v4, "URLs and
 * hashing").
 */
export function canonicalize(url: string | Uint8Array): string {
  const { canonical, problem } = runSteps(url);
  if (problem !== null) throw new CanonError(url, problem.code, problem.index);
  return canonical.href;
}

/** The names of the steps, in the order in which they are applied. */
export type CanonicalizationStepName =
  | "remove-tab-cr-lf"
  | "trim-spaces"
  | "remove-fragment"
  | "unescape"
  | "split"
  | "drop-userinfo"
  | "drop-port"
  | "idn-to-ascii"
  | "trim-dots"
  | "collapse-dots"
  | "normalize-ip-address"
  | "lower-case-host"
  | "resolve-dot-segments"
  | "collapse-slashes"
  | "escape";

/** A step, and the section of "Hashing URLs" that requires it. */
interface Step<Change> {
  readonly name: CanonicalizationStepName;
  readonly section: string;
  readonly change: Change;
}

type ChangeText = (url: string) => string;
type ChangeParts = (parts: UrlParts) => void;

const STEPS_OF_TEXT: readonly Step<ChangeText>[] = [
  step("remove-tab-cr-lf", "Canonicalization, first", removeTabCrLf),
  step("trim-spaces", "Canonicalization, first", trimSpaces),
  step("remove-fragment", "Canonicalization, second", removeFragment),
  step("unescape", "Canonicalization, third", unescapeRepeatedly),
];

const SPLIT: Step<typeof splitUrl> = step("split", "To canonicalize the hostname", splitUrl);

const STEPS_OF_HOST: readonly Step<ChangeParts>[] = [
  step("drop-userinfo", "Suffix/prefix expressions", onHost(dropUserinfo)),
  step("drop-port", "Suffix/prefix expressions", onHost(dropPort)),
  step("idn-to-ascii", "Canonicalization", convertIdn),
  step("trim-dots", "To canonicalize the hostname, 1", onHost(trimDots)),
  step("collapse-dots", "To canonicalize the hostname, 2", onHost(collapseDots)),
  step("normalize-ip-address", "To canonicalize the hostname, 3", normalizeIpAddress),
  step("lower-case-host", "To canonicalize the hostname, 4", onHost(asciiLowerCase)),
];

const STEPS_OF_PATH: readonly Step<ChangeParts>[] = [
  step("resolve-dot-segments", "To canonicalize the path, 1", onPath(resolveDotSegments)),
  step("collapse-slashes", "To canonicalize the path, 2", onPath(collapseSlashes)),
  step("escape", "To canonicalize the path, last paragraph", escapeParts),
];

function step<Change>(
  name: CanonicalizationStepName,
  section: string,
  change: Change,
): Step<Change> {
  return { name, section, change };
}

function onHost(change: ChangeText): ChangeParts {
  return (parts) => {
    parts.host = change(parts.host);
  };
}

function onPath(change: ChangeText): ChangeParts {
  return (parts) => {
    parts.path = change(parts.path);
  };
}

/** Called after each step with the resulting URL as a byte string. */
type OnStep = (step: Step<unknown>, url: string) => void;

type Canonicalization =
  | {
      readonly canonical: CanonicalUrl;
      readonly problem: null;
      /** Whether the host has characters that UTS #46 cannot decide. Such a host keeps its bytes. */
      readonly isHostUndecided: boolean;
    }
  | {
      readonly canonical: null;
      /** Why the input is not a URL with a host. */
      readonly problem: UrlProblem;
      readonly isHostUndecided: false;
    };

export function runSteps(url: string | Uint8Array, onStep?: OnStep): Canonicalization {
  const bytes = toByteString(url);
  if (typeof bytes !== "string") return refused(bytes);
  let text = bytes;
  for (const step of STEPS_OF_TEXT) {
    text = step.change(text);
    onStep?.(step, text);
  }

  const parts = SPLIT.change(text);
  if (parts === null) return refused(problemAfter(writtenScheme(text), "authority-missing", url));
  onStep?.(SPLIT, formatParts(parts));

  for (const step of STEPS_OF_HOST) {
    step.change(parts);
    onStep?.(step, formatParts(parts));
  }
  if (parts.host === "") {
    return refused(problemAfter(text.slice(0, parts.authorityStart), "host-missing", url));
  }

  for (const step of STEPS_OF_PATH) {
    step.change(parts);
    onStep?.(step, formatParts(parts));
  }
  const { scheme, host, hostType, path, query, isHostUndecided } = parts;
  const href = formatParts(parts);
  const canonical = { href, scheme, host, hostType, path: path as `/${string}`, query };
  return { canonical, problem: null, isHostUndecided };
}

function refused(problem: UrlProblem): Canonicalization {
  return { canonical: null, problem, isHostUndecided: false };
}

/**
 * A problem with the part of the URL that follows the text `before`. The index of the problem is known only if the
 * input begins with that text. Otherwise, a step has changed the text.
 */
function problemAfter(
  before: string,
  code: UrlProblem["code"],
  url: string | Uint8Array,
): UrlProblem {
  const { length } = before;
  const start = typeof url === "string" ? url.slice(0, length) : fromCodes(url.subarray(0, length));
  return { code, index: start === before ? length : null };
}

/**
 * The parts of the canonical form of a URL, given as text or as bytes.
 *
 * Text is encoded as UTF-8, and bytes are used as they are. A URL without a scheme is an `http` URL, and any scheme
 * that is followed by `//` is accepted. User, password, port and fragment are not part of the result. A host is never
 * refused because of its characters. A host that is not ASCII and that IDNA does not accept keeps its bytes in escaped
 * form.
 *
 * @throws {@link CanonError} `too-long`, `lone-surrogate`, `authority-missing`, `host-missing`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { parseUrl } from "@x/canon";
 *
 * const url = parseUrl("HTTP://user@EXAMPLE.com:80/a/../b?q#top");
 * url.href; // → "http://example.com/b?q"
 * url.hostType; // → "domain"
 * url.query; // → "q"
 * ```
 * @see Web Risk, "Hashing URLs", section "Canonicalization" (the same as Safe Browsing v4, "URLs and
 * hashing").
 */
export function parseUrl(url: string | Uint8Array): CanonicalUrl {
  const { canonical, problem } = runSteps(url);
  if (problem !== null) throw new CanonError(url, problem.code, problem.index);
  return canonical;
}

/**
 * Like {@link parseUrl}, but returns `null` for input that is not a URL with a host.
 *
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { tryParseUrl } from "@x/canon";
 *
 * tryParseUrl("example.com")?.href; // → "http://example.com/"
 * tryParseUrl("mailto:someone@example.com"); // → null
 * ```
 */
export function tryParseUrl(url: string | Uint8Array): CanonicalUrl | null {
  return runSteps(url).canonical;
}

/** One step of the canonicalization of one URL. */
export interface CanonicalizationStep {
  readonly step: CanonicalizationStepName;
  /** The section of the specification that requires the step. */
  readonly section: string;
  /**
   * The URL after the step, in readable form. Bytes above 0x7F are shown as the characters that they encode in UTF-8.
   * Where they are not UTF-8, each is shown as the character with the same code. After the last step, the text is
   * exactly the canonical URL.
   */
  readonly text: string;
  /** Whether the step changed `text`. */
  readonly changed: boolean;
}

/**
 * Every step of the canonicalization of a URL in order, including steps that changed nothing. Each step comes with the
 * URL after that step.
 *
 * @throws {@link CanonError} `too-long`, `lone-surrogate`, `authority-missing`, `host-missing`.
 * @throws TypeError when `url` is neither a string nor a `Uint8Array`, or its buffer is detached.
 * @example
 * ```ts
 * import { explainCanonicalization } from "@x/canon";
 *
 * const steps = explainCanonicalization("http://EXAMPLE.com/%61");
 * steps.filter((step) => step.changed).map((step) => step.step); // → ["unescape", "lower-case-host"]
 * steps.at(-1)?.text; // → "http://example.com/a"
 * ```
 */
export function explainCanonicalization(url: string | Uint8Array): readonly CanonicalizationStep[] {
  const steps: CanonicalizationStep[] = [];
  let before = toByteString(url);
  let textBefore = typeof before === "string" ? toDisplayText(before) : "";
  const { problem } = runSteps(url, ({ name, section }, after) => {
    // Unchanged bytes need not be decoded again. Different bytes may still give the same text.
    const text = after === before ? textBefore : toDisplayText(after);
    const changed = text !== textBefore;
    steps.push({ step: name, section: `Web Risk, Hashing URLs, ${section}`, text, changed });
    before = after;
    textBefore = text;
  });
  if (problem !== null) throw new CanonError(url, problem.code, problem.index);
  return steps;
}
