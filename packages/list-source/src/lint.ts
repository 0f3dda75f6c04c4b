import { type CanonicalUrl, explainCanonicalization } from "@x/canon";
import { type Expression, expressions, type RegistrableDomain } from "@x/expressions";
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
    if (expression.endsWith("/") && mayBeTooDeep(url) && !coversBelow(url, expression)) {
      warn("covers-nothing-below", expression, null);
    }
    if (coveredBy === undefined) return;
    const cover = expressions(url, rule).find(
      (other) => other !== expression && lookupPrefix(coveredBy, fullHash(other)) !== null,
    );
    if (cover !== undefined) warn("covered", expression, cover);
  };

  /** Whether URLs in the folder, and for a name also on hosts below it, have the expression. */
  function coversBelow(url: CanonicalUrl, expression: Expression): boolean {
    const has = (below: CanonicalUrl) => expressions(below, rule).includes(expression);
    if (!has({ ...url, path: `${url.path}x` })) return false;
    return url.hostType !== "domain" || url.path !== "/" || has({ ...url, host: `x.${url.host}` });
  }

  /** Few entries are deep, and the others need no closer look: their expressions are not even formed. */
  function mayBeTooDeep({ host, path }: CanonicalUrl): boolean {
    return registrableDomain !== undefined || hasFour(host, ".") || hasFour(path, "/");
  }
}

function hasFour(text: string, character: string): boolean {
  let index = -1;
  for (let count = 0; count < 4; count++) {
    index = text.indexOf(character, index + 1);
    if (index < 0) return false;
  }
  return true;
}

const AUTHORITY_START = /^(?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\//;
const PORT = /^:[0-9]*(?:[/?#]|$)/;

/** The parts of a text that its canonical form is without. */
function droppedParts(text: string, url: CanonicalUrl): readonly WarningCode[] {
  if (!text.includes(":") && !text.includes("@") && !text.includes("#")) return NOTHING;
  const start = AUTHORITY_START.exec(text)?.[0].length ?? 0;
  // Most often the host stands where it stands in the canonical form, and what follows it is plain to see.
  if (!text.includes("#") && text.startsWith(url.host, start)) {
    const rest = text.slice(start + url.host.length);
    if (rest === "" || rest.startsWith("/")) return NOTHING;
    if (PORT.test(rest)) return PORT_DROPPED;
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
