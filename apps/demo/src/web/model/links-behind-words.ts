/** The line above the links that a pasted text shows only as words. Each link has a line of its own: `words <URL>`. */
export const LINKS_HEADING: string = "Links behind words:";
const LONGEST_WORDS = 200;
const LINE = /^(.*) <([^<>]+)>$/;

/** A link as a line below {@link LINKS_HEADING}. */
export function lineOfLink(words: string, url: string): string {
  const shown = words.replace(/\s+/g, " ").slice(0, LONGEST_WORDS);
  return `${shown} <${url.replace(/[\s<>]/g, encodeURIComponent)}>`;
}

/** A link and the words that a person sees in its place. */
export interface LinkBehindWords {
  readonly words: string;
  readonly url: string;
}

/** Whether a text may have lines of `lineOfLink`. */
export function hasLinksBehindWords(text: string): boolean {
  return text.includes(`${LINKS_HEADING}\n`);
}

/** Splits a text into the lines of `lineOfLink` and the rest. */
export function splitLinksBehindWords(text: string): {
  readonly rest: string;
  readonly links: readonly LinkBehindWords[];
} {
  const links: LinkBehindWords[] = [];
  const rest: string[] = [];
  let isBehind = false;
  for (const line of text.split("\n")) {
    const [, words, url] = (isBehind && LINE.exec(line)) || [];
    if (url !== undefined) links.push({ words: words!, url });
    else if (line === LINKS_HEADING) isBehind = true;
    else {
      isBehind = false;
      rest.push(line);
    }
  }
  return { rest: rest.join("\n"), links };
}
