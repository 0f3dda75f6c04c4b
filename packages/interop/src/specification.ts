import { readUrl, type UrlReadings } from "@x/canon/readings";
import { type ExpressionOptions, expressions } from "@x/expressions";
import { type ClientTexts, noTexts, textsOf } from "./texts.ts";

/**
 * Reads a URL as a client that follows the specifications to the letter. With the option `registrableDomain`, the
 * client follows v5: the shortest host suffix is the registrable domain.
 */
export function readAsSpecification(url: string, options: ExpressionOptions = {}): ClientTexts {
  return specificationTexts(readUrl(url, "specification"), options);
}

/** Reads a URL as a client that applies the rules of v4 to the URL that a browser opens. */
export function readAsBrowser(url: string): ClientTexts {
  return browserTexts(readUrl(url));
}

/** Reads a URL as a client that looks up both readings, like every check of whole URLs in this repository. */
export function readAsBoth(url: string): ClientTexts {
  const readings = readUrl(url);
  const browser = browserTexts(readings);
  const specification = specificationTexts(readings);
  if (specification.exact === null) return browser;
  return { ...specification, texts: [...new Set([...specification.texts, ...browser.texts])] };
}

function specificationTexts(
  { specification, problem }: UrlReadings,
  options?: ExpressionOptions,
): ClientTexts {
  if (specification === null) return noTexts("not-a-url");
  return problem?.code === "host-undecided"
    ? noTexts("host-undecided")
    : textsOf(specification, options);
}

function browserTexts({ browser, firefox, problem }: UrlReadings): ClientTexts {
  if (browser === null) {
    return noTexts(problem?.code === "host-undecided" ? "host-undecided" : "not-loadable");
  }
  const found = textsOf(browser);
  return firefox === null
    ? found
    : { ...found, texts: [...new Set([...found.texts, ...expressions(firefox)])] };
}
