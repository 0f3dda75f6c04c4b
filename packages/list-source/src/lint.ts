import { type CanonicalUrl, explainCanonicalization } from "@x/canon";
import {
  type Expression,
  type ExpressionOptions,
  expressions,
  type RegistrableDomain,
} from "@x/expressions";
import { lookupPrefix, type PrefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";

/** What is odd about an entry. */
export type WarningCode =
  /** The host is a public suffix, or shared by people who have nothing to do with each other: `github.io/`. */
  | "public-suffix"
  /** Another entry covers it. */
  | "covered"
  /** It ends in a slash, but has so many folders or host labels that it covers nothing below. */
  | "covers-nothing-below"
  /** A user name or password was dropped. */
  | "user-dropped"
  /** A port was dropped: the entry stands for all ports of the host. */
  | "port-dropped"
  /** A fragment was dropped: the entry stands for the whole page. */
  | "fragment-dropped"
  /** An Adblock rule covers all URLs that begin with it; the entry covers this path alone. */
  | "rule-narrowed";

/** An entry that was made, and that its publisher may not have meant. */
export interface Warning {
  /** The line, from 1. */
  readonly line: number;
  readonly code: WarningCode;
  readonly expression: Expression;
  /** With `covered`: the expression that covers this entry; else null. */
  readonly coveredBy: Expression | null;
}

/** What entries are held against. */
export interface LintOptions {
  /**
   * Whether a host is a public suffix or shared by strangers, as the Public Suffix List knows it. Without it
   * nobody is warned of such entries.
   */
  readonly isPublicSuffix?: ((host: string) => boolean) | undefined;
  /** As for `expressions`: forms expressions by the rule of Safe Browsing v5. */
  readonly registrableDomain?: RegistrableDomain | undefined;
  /**
   * The finished list. Reading the source again with it warns of each entry that another one covers. With short
   * prefixes, some of these warnings are chance hits.
   */
  readonly coveredBy?: PrefixList | undefined;
}

/** Makes a function that reports what is odd about an entry. */
export function linter(
  options: LintOptions,
  warn: (code: WarningCode, expression: Expression, coveredBy: Expression | null) => void,
): (text: string, url: CanonicalUrl, expression: Expression) => void {
  const { isPublicSuffix, coveredBy, registrableDomain } = options;
  const rule = { registrableDomain };
  return (text, url, expression) => {
    for (const code of droppedParts(text, url)) warn(code, expression, null);
    const isHost = expression.length === url.host.length + 1;
    if (isHost && isPublicSuffix?.(url.host)) warn("public-suffix", expression, null);
    if (isTooDeep(url, expression)) warn("covers-nothing-below", expression, null);
    if (coveredBy === undefined) return;
    const cover = expressions(url, rule).find(
      (other) => other !== expression && lookupPrefix(coveredBy, fullHash(other)) !== null,
    );
    if (cover !== undefined) warn("covered", expression, cover);
  };

  /** Whether an entry looks as if it covered what lies below, and does not. */
  function isTooDeep({ host, hostType, path }: CanonicalUrl, expression: Expression): boolean {
    if (!expression.endsWith("/")) return false;
    if (path !== "/") return count(path, "/") - 1 > deepestFolder();
    if (hostType !== "domain") return false;
    if (registrableDomain === undefined) return count(host, ".") + 1 > deepestHost();
    return !coversSubdomains(host, rule);
  }
}

/** Whether the entry of a host covers the hosts below it. */
function coversSubdomains(host: string, rule: ExpressionOptions): boolean {
  return expressions(`http://x.${host}/`, rule).includes(`${host}/`);
}

/** The most labels of a host whose entry covers the hosts below it, when the last labels decide. */
const deepestHost = once(() =>
  deepest((labels) => coversSubdomains(nested("a.", labels - 1, "b"), {})),
);

/** The most folders of a path whose entry covers what is in them. */
const deepestFolder = once(() =>
  deepest((folders) => {
    const entry: Expression = `a.b/${nested("x/", folders, "")}`;
    return expressions(`http://${entry}y`).includes(entry);
  }),
);

/** What {@link expressions} tells of itself is asked once, so that its limits stand in one place. */
function once(find: () => number): () => number {
  let known: number | null = null;
  return () => {
    known ??= find();
    return known;
  };
}

function deepest(covers: (depth: number) => boolean): number {
  let depth = 2;
  while (covers(depth + 1)) depth++;
  return depth;
}

function nested(part: string, times: number, end: string): string {
  return part.repeat(times) + end;
}

function count(text: string, character: string): number {
  let found = 0;
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + 1)) found++;
  return found;
}

const AUTHORITY_START = /^(?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\//;
const PORT = /^:[0-9]*(?:[/?#]|$)/;

function authorityStart(text: string): number {
  if (text.startsWith("http://")) return 7;
  return text.startsWith("https://") ? 8 : (AUTHORITY_START.exec(text)?.[0].length ?? 0);
}

/** The parts of a text that its canonical form is without. */
function droppedParts(text: string, url: CanonicalUrl): readonly WarningCode[] {
  if (!text.includes(":") && !text.includes("@") && !text.includes("#")) return NOTHING;
  const start = authorityStart(text);
  // Most often the host stands where it stands in the canonical form, and what follows it is plain to see.
  if (!text.includes("#") && text.startsWith(url.host, start)) {
    const end = start + url.host.length;
    if (end === text.length || text[end] === "/") return NOTHING;
    if (PORT.test(text.slice(end))) return PORT_DROPPED;
  }
  const changed = explainCanonicalization(text).filter((step) => step.changed);
  return changed.flatMap(({ step }) => {
    if (step === "remove-fragment") return ["fragment-dropped" as const];
    if (step === "drop-userinfo") return ["user-dropped" as const];
    return step === "drop-port" ? PORT_DROPPED : NOTHING;
  });
}

const NOTHING: readonly WarningCode[] = [];
const PORT_DROPPED: readonly WarningCode[] = ["port-dropped"];
