import { type CanonicalUrl, explainCanonicalization } from "@x/canon";
import { hasInvalidIdn } from "@x/canon/browser";
import { localHost } from "@x/canon/local-hosts";
import { type Expression, expressions } from "@x/expressions";
import { lookupPrefix, type PrefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { type BroadOptions, type HostOptions, isWholeHost } from "./accept-entry.ts";
import { endsInCopied } from "./copied-characters.ts";
import { isTooDeep } from "./covers-nothing-below.ts";
import { isCut } from "./cut-url.ts";
import { droppedParts } from "./dropped-parts.ts";
import type { WarningCode } from "./warning.ts";

export interface LintOptions extends BroadOptions {
  /**
   * The finished list. If you read the source again with this option, there is a warning about each entry that another
   * entry covers. With short hash prefixes, some of these warnings are false.
   */
  readonly coveredBy?: PrefixList | undefined;
}

/** Matches a segment ".." in the path of an unescaped URL. */
const LEADS_UP = /^[^?]*\/\.\.(?:[/?]|$)/;

/** Whether a segment ".." shortened the path of an entry, as in `/kit/%2e%2e/`. */
function isCollapsed(text: string): boolean {
  if (!text.includes("%") && !text.includes("/..")) return false;
  const query = text.indexOf("?");
  const path = query < 0 ? text : text.slice(0, query);
  if (!path.includes("%") && !path.includes("/..")) return false;
  const steps = explainCanonicalization(text);
  const resolved = steps.findIndex(({ step }) => step === "resolve-dot-segments");
  return steps[resolved]!.changed && LEADS_UP.test(steps[resolved - 1]!.text);
}

export interface Linter {
  /** Warns about an entry that is broad, or has an odd text. */
  text(text: string, url: CanonicalUrl, expression: Expression): void;
  /** Warns about oddities of an entry that do not depend on its spelling in the source. */
  entry(url: CanonicalUrl, expression: Expression): void;
}

export function linter(
  options: LintOptions & Pick<HostOptions, "endsInTopLevelDomain">,
  warn: (code: WarningCode, expression: Expression, coveredBy: Expression | null) => void,
): Linter {
  const { isPublicSuffix, endsInTopLevelDomain, coveredBy } = options;
  return {
    text(text, url, expression) {
      for (const code of droppedParts(text, url)) warn(code, expression, null);
      if (isCollapsed(text)) warn("path-collapsed", expression, null);
      if (isCut(text)) warn("url-cut", expression, null);
      if (endsInCopied(text, url)) warn("copied-character", expression, null);
      if (hasInvalidIdn(url.host)) warn("invalid-idn", expression, null);
      if (isWholeHost(url) && isPublicSuffix?.(url.host)) warn("public-suffix", expression, null);
    },
    entry(url, expression) {
      if (
        isPublicSuffix &&
        url.hostType === "domain" &&
        url.host.includes(".") &&
        !endsInTopLevelDomain(url.host)
      ) {
        warn("top-level-domain-unknown", expression, null);
      }
      if (localHost(url.host) !== null) warn("local-address", expression, null);
      if (isTooDeep(url, expression)) warn("covers-nothing-below", expression, null);
      if (coveredBy === undefined) return;
      const cover = expressions(url).find(
        (other) => other !== expression && lookupPrefix(coveredBy, fullHash(other)) !== null,
      );
      if (cover !== undefined) warn("covered", expression, cover);
    },
  };
}
