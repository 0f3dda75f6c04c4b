import { tryParseUrl } from "@x/canon";
import { tryParseUrlAsBrowser } from "@x/canon/browser";
import type { ExpressionOptions } from "@x/expressions";
import { type Reading, readingOf, unreadable } from "./reading.ts";

/** A client with the rules of Web Risk and Safe Browsing v4 as they are written. */
export function readAsSpecification(url: string): Reading {
  const parsed = tryParseUrl(url);
  return parsed === null ? unreadable("not-a-url") : readingOf(parsed);
}

/** A client with the rules of Safe Browsing v5 as they are written: hosts begin at the registrable domain. */
export function readAsSpecificationV5(url: string, options: ExpressionOptions): Reading {
  const parsed = tryParseUrl(url);
  return parsed === null ? unreadable("not-a-url") : readingOf(parsed, options);
}

/** The same rules, applied to the URL that a browser opens. */
export function readAsBrowser(url: string): Reading {
  const parsed = tryParseUrlAsBrowser(url);
  return parsed === null ? unreadable("not-loadable") : readingOf(parsed);
}

/** A client that looks up both readings, as every check of whole URLs here does. */
export function readBothWays(url: string): Reading {
  const specification = readAsSpecification(url);
  const browser = readAsBrowser(url);
  if (specification.exact === null) return browser;
  return { ...specification, texts: [...new Set([...specification.texts, ...browser.texts])] };
}
