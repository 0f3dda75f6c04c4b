import { type Expression, exactExpression } from "@x/expressions";

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/** An entry of a list and the URLs that it stands for. */
export interface Entry {
  /** The expression whose hash is published. */
  readonly expression: Expression;
  /** The URL as it is listed and, if different, its canonical form. */
  readonly urls: readonly [string, ...string[]];
}

/**
 * The entry for a URL, or for an expression or a host without a scheme.
 *
 * @throws CanonError of `@x/canon`, when `text` is not a URL with a host.
 */
export function entryOf(text: string): Entry {
  const expression = exactExpression(text);
  const trimmed = text.replace(/^ +/, "");
  const url = SCHEME.test(trimmed) ? trimmed : `http://${trimmed}`;
  const canonical = reachable(expression);
  return { expression, urls: url === canonical ? [url] : [url, canonical] };
}

/** The canonical URL, with backslashes in its path escaped because browsers would read them as slashes. */
function reachable(expression: Expression): string {
  return `http://${expression.replace(/^[^?]*/, (path) => path.replaceAll("\\", "%5C"))}`;
}
