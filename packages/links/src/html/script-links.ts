import type { FoundLink, LinkSink } from "../found-link.ts";
import { unescapeScript } from "../text/clean.ts";
import { findInText } from "../text/scan-text.ts";

/** A part of a script without blanks and quotation marks. */
const RUN = /[^\s"'`<>]+/g;
const ESCAPE = /\\[xu]/;

/**
 * Finds the links in a script, also in strings whose letters are escaped, as in `"\x68\x74\x74\x70://evil.example"`.
 * Indices are those of the script.
 */
export function findInScript(script: string, sink: LinkSink): void {
  const known = new Set<string>();
  const add = (link: FoundLink) => {
    const url = unescapeScript(link.url);
    known.add(url);
    sink({ ...link, url });
  };
  findInText(script, 0, add, "script");
  if (!ESCAPE.test(script)) return;
  for (const { 0: text, index: start } of script.matchAll(RUN)) {
    if (!ESCAPE.test(text)) continue;
    findInText(
      unescapeScript(text),
      0,
      (link) => {
        if (known.has(link.url)) return;
        known.add(link.url);
        sink({ ...link, text, start, end: start + text.length });
      },
      "script",
    );
  }
}
