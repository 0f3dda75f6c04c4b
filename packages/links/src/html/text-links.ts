import type { FoundLink } from "../found-link.ts";
import type { LinkInText } from "../text/link-end.ts";
import { findInText, scanText, toFound } from "../text/scan-text.ts";
import type { LinkCollector } from "./collect-links.ts";
import { cssReferences } from "./css.ts";
import { findInScript } from "./script-links.ts";
import type { VisibleText } from "./visible-text.ts";

/* Adds the links in contents that are not markup. Indices are those of the source. */

/** Adds the links in text without tags, whose character references are decoded. */
export function addVisible(links: LinkCollector, visible: VisibleText): void {
  if (visible.length() === 0) return;
  const { text: shown, toSource } = visible.take();
  const found: LinkInText[] = [];
  const { isDecoded } = links;
  scanText({ text: shown, from: 0, isLast: true, isDecoded }, (link) => found.push(link));
  // Links may overlap, but indices are mapped in ascending order.
  const starts = new Map<number, number>();
  const ends = new Map<number, number>();
  const indices = found.flatMap(({ start, end }) => [start, end - 0.5]);
  for (const index of indices.sort((one, other) => one - other)) {
    if (Number.isInteger(index)) starts.set(index, toSource(index, false));
    else ends.set(index + 0.5, toSource(index + 0.5, true));
  }
  for (const link of found) {
    const start = starts.get(link.start)!;
    const end = ends.get(link.end)!;
    const text = links.slice(start, end);
    links.addHere({ ...toFound(shown, link, 0, "text"), text, start, end });
  }
}

/** Adds the links in a part of the source without character references. */
export function addPlain(
  links: LinkCollector,
  content: string,
  start: number,
  where: "text" | "script",
): void {
  const addLink = (link: FoundLink) => {
    links.addHere({ ...link, text: links.slice(link.start, link.end) });
  };
  if (where === "text") findInText(content, start, addLink, where, links.isDecoded);
  else {
    findInScript(content, (link) =>
      addLink({ ...link, start: start + link.start, end: start + link.end }),
    );
  }
}

/** `toSource` maps an index of `css` to that of the source. */
export function addCss(
  links: LinkCollector,
  css: string,
  toSource: (index: number, isEnd: boolean) => number,
): void {
  for (const { value, start, end } of cssReferences(css)) {
    links.addReference(value, { start: toSource(start, false), end: toSource(end, true) }, "css");
  }
}
