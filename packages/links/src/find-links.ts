import { ownOptions, typeError } from "@x/canon/own-options";
import type { FoundLink } from "./found-link.ts";
import { scanHtml } from "./html/scan-html.ts";
import { scanMarkdown } from "./markdown/scan-markdown.ts";
import { findInText } from "./text/scan-text.ts";

/** The format that a text is parsed as. */
export type TextFormat = "text" | "html" | "markdown";

/** The options of `findLinks`. */
export interface FindLinksOptions {
  /** The format of the text; `"text"` by default. */
  readonly as?: TextFormat | undefined;
  /**
   * The URL that relative references in HTML and Markdown are resolved against, unless the HTML has a `<base>`. Without
   * either, relative references are left out, except for an `href` that begins with a host, such as
   * `www.evil.example/a`: mail programs open it as a URL.
   */
  readonly base?: string | undefined;
}

/**
 * Returns the links in a text, in order. If a text can be read in two ways, the links of both are returned, so they may
 * overlap: a `=` at the end of a line may be a soft line break, and Chinese or Japanese text after a path may belong to it.
 *
 * In text, a link is a URL with a scheme, or a host in an existing top-level domain, with or without a path. In HTML
 * and Markdown, references in tags, style sheets, scripts and comments are links, too. Defanged URLs are refanged. Mail
 * addresses in running text are not links. Time is linear in the length of the text.
 *
 * @throws {TypeError} when the text is not a string, or an option is not valid.
 * @throws {RangeError} when `base` is not an absolute URL.
 * @example
 * ```ts
 * import { findLinks } from "@x/links";
 *
 * findLinks("Blocked: hxxps://login[.]evil[.]example/a, again.").map(({ url }) => url); // → ["https://login.evil.example/a"]
 *
 * const [link] = findLinks('<a href="http://evil.example/">www.bank.example</a>', { as: "html" });
 * link; // → { text: "http://evil.example/", start: 9, end: 29, url: "http://evil.example/", where: "href", isDefanged: false, shown: "www.bank.example" }
 * ```
 */
export function findLinks(text: string, options: FindLinksOptions = {}): FoundLink[] {
  if (typeof text !== "string") throw typeError("text", "a string", text);
  const { as, base } = readOptions(options);
  const found: FoundLink[] = [];
  const sink = (link: FoundLink) => found.push(link);
  if (as === "html") scanHtml(text, { bases: [base], isMail: false, sink, depth: 0, offset: 0 });
  else if (as === "markdown") scanMarkdown(text, { base, sink, offset: 0 });
  else findInText(text, 0, sink);
  return found;
}

const FORMATS: readonly unknown[] = ["text", "html", "markdown"];

export function readOptions(options: FindLinksOptions): {
  readonly as: TextFormat;
  readonly base: string | null;
} {
  const { as = "text", base = null } = ownOptions(options);
  if (!FORMATS.includes(as)) throw typeError("as", '"text", "html" or "markdown"', as);
  if (base !== null && typeof base !== "string") throw typeError("base", "a string", base);
  if (base !== null && !URL.canParse(base)) {
    throw new RangeError(`base must be an absolute URL, not ${JSON.stringify(base.slice(0, 60))}`);
  }
  return { as, base };
}
