import { type CanonFailure, isFailure } from "./error.ts";
import {
  collapseDots,
  dropPort,
  dropUserinfo,
  type HostType,
  idnToAscii,
  lowerCaseHost,
  normalizeIpAddress,
  trimDots,
} from "./host.ts";
import { decideElsewhere, decideInHost } from "./octets.ts";
import { collapseSlashes, resolveDotSegments } from "./path.ts";
import { escapeOctets, unescapeRepeatedly } from "./percent.ts";
import { splitUrl } from "./split.ts";
import { removeFragment, removeTabCrLf, trimSpaces } from "./trim.ts";

/** A canonical URL, and the parts of it that later steps need, so that nobody parses it again. */
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

/** The parts of a URL while they are made canonical, as octet strings. */
export interface DraftParts {
  readonly scheme: string;
  host: string;
  path: string;
  query: string | null;
}

/** The steps of the text, in its order. */
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

/** Is told of each step when it is done: the URL while it is whole, then its parts. */
export type Trace = (step: CanonicalizationStepName, draft: string | DraftParts) => void;

/**
 * The procedure of the text: the section "Canonicalization" as far as the split, then "To canonicalize
 * the hostname" and "To canonicalize the path", whose last paragraph is the escaping.
 */
export function canonicalizeOctets(octets: string, trace?: Trace): CanonicalUrl | CanonFailure {
  let url = removeTabCrLf(octets);
  trace?.("remove-tab-cr-lf", url);
  url = trimSpaces(url);
  trace?.("trim-spaces", url);
  url = removeFragment(url);
  trace?.("remove-fragment", url);
  url = unescapeRepeatedly(url);
  trace?.("unescape", url);

  const split = splitUrl(url);
  if (isFailure(split)) return split;
  const draft: DraftParts = {
    scheme: split.scheme,
    host: decideInHost(split.authority),
    path: decideElsewhere(split.path),
    query: split.query === null ? null : decideElsewhere(split.query),
  };
  trace?.("split", draft);

  draft.host = dropUserinfo(draft.host);
  trace?.("drop-userinfo", draft);
  draft.host = dropPort(draft.host);
  trace?.("drop-port", draft);
  draft.host = idnToAscii(draft.host);
  trace?.("idn-to-ascii", draft);
  draft.host = trimDots(draft.host);
  trace?.("trim-dots", draft);
  if (draft.host === "")
    return { code: "host-missing", before: url.slice(0, split.authorityStart) };
  draft.host = collapseDots(draft.host);
  trace?.("collapse-dots", draft);
  const { host, hostType } = normalizeIpAddress(draft.host);
  draft.host = host;
  trace?.("normalize-ip-address", draft);
  draft.host = lowerCaseHost(draft.host);
  trace?.("lower-case-host", draft);

  draft.path = resolveDotSegments(draft.path);
  trace?.("resolve-dot-segments", draft);
  draft.path = collapseSlashes(draft.path);
  trace?.("collapse-slashes", draft);

  draft.host = escapeOctets(draft.host);
  draft.path = escapeOctets(draft.path);
  draft.query = draft.query === null ? null : escapeOctets(draft.query);
  trace?.("escape", draft);
  return {
    href: formatUrl(draft),
    scheme: draft.scheme,
    host: draft.host,
    hostType,
    path: draft.path as `/${string}`,
    query: draft.query,
  };
}

export function formatUrl({ scheme, host, path, query }: DraftParts): string {
  return `${scheme}://${host}${path}${query === null ? "" : `?${query}`}`;
}
