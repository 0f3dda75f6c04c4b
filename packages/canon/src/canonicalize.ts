import { asciiLowerCase } from "./ascii.ts";
import { decideElsewhere, decideInHost, holdsUndecided } from "./byte-string.ts";
import type { CanonFailure } from "./error.ts";
import { collapseDots, dropPort, dropUserinfo, trimDots } from "./steps/host.ts";
import { idnToAscii } from "./steps/idn.ts";
import { type HostType, normalizeIpAddress } from "./steps/ip-address.ts";
import { collapseSlashes, resolveDotSegments } from "./steps/path.ts";
import { escapeBytes, unescapeRepeatedly } from "./steps/percent-escapes.ts";
import {
  removeFragment,
  removeTabCrLf,
  splitUrl,
  trimSpaces,
  writtenScheme,
} from "./steps/whole-url.ts";

/** A canonical URL and its parts, so that callers need not parse it again. */
export interface CanonicalUrl {
  /** `scheme://host/path[?query]`, in printable ASCII without spaces. */
  readonly href: string;
  /** `"http"`: lower-case, without a colon. */
  readonly scheme: string;
  /** Lower-case, without user, password and port; an IPv6 address in brackets. */
  readonly host: string;
  readonly hostType: HostType;
  /** Starts with a slash. */
  readonly path: `/${string}`;
  /** Without its question mark: `""` when the URL ends in one, `null` when it has none. */
  readonly query: string | null;
}

/** The steps in the order of the specification. */
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

/** A step of the specification. */
interface Step {
  readonly name: CanonicalizationStepName;
  /** The section of "Hashing URLs" that requires it. */
  readonly section: string;
  readonly change: Change;
}

/** Takes one part of a draft, as a byte string, and returns what that part becomes. */
type Change = (part: string, draft: Draft) => string;

const STEPS_OF_TEXT: readonly Step[] = [
  step("remove-tab-cr-lf", "Canonicalization, first", removeTabCrLf),
  step("trim-spaces", "Canonicalization, first", trimSpaces),
  step("remove-fragment", "Canonicalization, second", removeFragment),
  step("unescape", "Canonicalization, third", unescapeRepeatedly),
  step("split", "To canonicalize the hostname", split),
];

const STEPS_OF_HOST: readonly Step[] = [
  step("drop-userinfo", "Suffix/prefix expressions", dropUserinfo),
  step("drop-port", "Suffix/prefix expressions", dropPort),
  step("idn-to-ascii", "Canonicalization", convertIdn),
  step("trim-dots", "To canonicalize the hostname, 1", trimDots),
  step("collapse-dots", "To canonicalize the hostname, 2", collapseDots),
  step("normalize-ip-address", "To canonicalize the hostname, 3", normalizeAddress),
  step("lower-case-host", "To canonicalize the hostname, 4", asciiLowerCase),
];

const STEPS_OF_PATH: readonly Step[] = [
  step("resolve-dot-segments", "To canonicalize the path, 1", resolveDotSegments),
  step("collapse-slashes", "To canonicalize the path, 2", collapseSlashes),
  step("escape", "To canonicalize the path, last paragraph", escapeAll),
];

function step(name: CanonicalizationStepName, section: string, change: Change): Step {
  return { name, section, change };
}

/** A URL that the steps are changing. All its strings are byte strings. */
export interface Draft {
  /** The whole URL, until it is split. */
  text: string;
  /** Where the authority starts in `text`. */
  authorityStart: number;
  scheme: string;
  host: string;
  hostType: HostType;
  /** Whether the host has characters that UTS #46 cannot decide. It keeps its bytes then. */
  isHostUndecided: boolean;
  /** Empty until the URL is split. */
  path: string;
  query: string | null;
}

export function newDraft(bytes: string): Draft {
  return {
    text: bytes,
    authorityStart: 0,
    scheme: "",
    host: "",
    hostType: "domain",
    isHostUndecided: false,
    path: "",
    query: null,
  };
}

/** Called after each step. */
export type OnStep = (step: Step, draft: Draft) => void;

/** Applies all steps to a draft. Returns `null`, or the reason why it is not a URL with a host. */
export function runSteps(draft: Draft, onStep?: OnStep): CanonFailure | null {
  for (const step of STEPS_OF_TEXT) {
    draft.text = step.change(draft.text, draft);
    onStep?.(step, draft);
  }
  if (draft.path === "") return { code: "authority-missing", before: writtenScheme(draft.text) };
  for (const step of STEPS_OF_HOST) {
    draft.host = step.change(draft.host, draft);
    onStep?.(step, draft);
  }
  if (draft.host === "") {
    return { code: "host-missing", before: draft.text.slice(0, draft.authorityStart) };
  }
  for (const step of STEPS_OF_PATH) {
    draft.path = step.change(draft.path, draft);
    onStep?.(step, draft);
  }
  return null;
}

/** The canonical URL of a draft that has been through all steps. */
export function toCanonicalUrl(draft: Draft): CanonicalUrl {
  const { scheme, host, hostType, path, query } = draft;
  return { href: formatUrl(draft), scheme, host, hostType, path: path as `/${string}`, query };
}

/** Splits the text into its parts. For a URL without an authority, they stay empty. */
function split(text: string, draft: Draft): string {
  const parts = splitUrl(text);
  if (parts === null) return text;
  draft.authorityStart = parts.authorityStart;
  draft.scheme = parts.scheme;
  draft.host = parts.authority;
  draft.path = parts.path;
  draft.query = parts.query;
  if (holdsUndecided(text)) {
    draft.host = decideInHost(draft.host);
    draft.path = decideElsewhere(draft.path);
    if (draft.query !== null) draft.query = decideElsewhere(draft.query);
  }
  return text;
}

function convertIdn(host: string, draft: Draft): string {
  return idnToAscii(host, () => {
    draft.isHostUndecided = true;
  });
}

function normalizeAddress(name: string, draft: Draft): string {
  const { host, hostType } = normalizeIpAddress(name);
  draft.hostType = hostType;
  return host;
}

/** Escapes the path, and also the host and the query. */
function escapeAll(path: string, draft: Draft): string {
  draft.host = escapeBytes(draft.host);
  if (draft.query !== null) draft.query = escapeBytes(draft.query);
  return escapeBytes(path);
}

/** The text of a draft that has been split. */
export function formatUrl({ scheme, host, path, query }: Draft): string {
  return `${scheme}://${host}${path}${query === null ? "" : `?${query}`}`;
}
