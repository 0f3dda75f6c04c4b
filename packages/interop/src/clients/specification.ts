import { readUrl, type UrlReadings } from "@x/canon/readings";
import type { ExpressionOptions } from "@x/expressions";
import { type Reading, readingOf, unreadable } from "./reading.ts";

/** A client with the rules of Web Risk and Safe Browsing v4 as they are written. */
export function readAsSpecification(url: string): Reading {
  return readingOfSpecification(readUrl(url, "specification"), {});
}

/** A client with the rules of Safe Browsing v5 as they are written: hosts begin at the registrable domain. */
export function readAsSpecificationV5(url: string, options: ExpressionOptions): Reading {
  return readingOfSpecification(readUrl(url, "specification"), options);
}

function readingOfSpecification(
  { specification, problem }: UrlReadings,
  options: ExpressionOptions,
): Reading {
  if (specification === null) return unreadable("not-a-url");
  if (problem !== null) return unreadable("host-undecided");
  return readingOf(specification, options);
}

/** The same rules, applied to the URL that a browser opens. */
export function readAsBrowser(url: string): Reading {
  return readingOfBrowser(readUrl(url));
}

function readingOfBrowser({ browser, problem }: UrlReadings): Reading {
  if (browser !== null) return readingOf(browser);
  return unreadable(problem?.code === "host-undecided" ? "host-undecided" : "not-loadable");
}

/** A client that looks up both readings, as every check of whole URLs here does. */
export function readBothWays(url: string): Reading {
  const readings = readUrl(url);
  const browser = readingOfBrowser(readings);
  const specification = readingOfSpecification(readings, {});
  if (specification.exact === null) return browser;
  return { ...specification, texts: [...new Set([...specification.texts, ...browser.texts])] };
}
