import { typeError } from "@x/canon/own-options";
import type { FoundLink } from "./found-link.ts";
import { findInText } from "./text/found-in-text.ts";

/**
 * Returns the links in running text, as `findLinks` does without options, but with a smaller bundle.
 *
 * @throws {TypeError} when the text is not a string.
 * @example
 * ```ts
 * import { findLinksInText } from "@x/links/text";
 *
 * findLinksInText("see a.example/b, or ask bob@a.example").map(({ url }) => url); // → ["http://a.example/b"]
 * ```
 */
export function findLinksInText(text: string): FoundLink[] {
  if (typeof text !== "string") throw typeError("text", "a string", text);
  const found: FoundLink[] = [];
  findInText(text, 0, (link) => found.push(link));
  return found;
}
