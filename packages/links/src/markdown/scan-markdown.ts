import { parse, postprocess, preprocess } from "micromark";
import type { FoundLink, LinkSink } from "../found-link.ts";
import { readings } from "../html/collect-links.ts";
import { isElsewhere, shownAsOther } from "../html/pending-text.ts";
import { decodeReferences, htmlScanner } from "../html/scan-html.ts";
import { findInText } from "../text/found-in-text.ts";
import { cutText, type Place } from "../text/scan-text.ts";

/** The maximum length of Markdown that is parsed at once, in code units: parsing can take more than linear time. */
export const LONGEST_PIECE = 4096;
const BLANK_LINE = /\r?\n[ \t]*\r?\n/g;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;
/**
 * Emphasis cannot change which links there are (CommonMark §6.2, rule 17), but takes more than linear time to parse.
 */
const WITHOUT_EMPHASIS = [{ disable: { null: ["attention"] } }];

export interface MarkdownContext {
  readonly base: string | null;
  readonly sink: LinkSink;
  readonly offset: number;
}

/** Finds the links in a whole Markdown document. */
export function scanMarkdown(text: string, { base, sink, offset }: MarkdownContext): void {
  for (let at = 0; at < text.length; ) {
    const end = at + pieceLength(text.slice(at, at + LONGEST_PIECE), text.length - at);
    scanPiece(text.slice(at, end), { base, sink, offset: offset + at });
    at = end;
  }
}

/** The length of the next piece to parse: whole blocks if possible, or else whole lines. */
export function pieceLength(text: string, available: number): number {
  if (available <= LONGEST_PIECE) return available;
  let length = 0;
  for (const match of text.matchAll(BLANK_LINE)) length = match.index + match[0].length;
  if (length === 0) length = text.lastIndexOf("\n") + 1;
  if (length === 0) length = text.lastIndexOf(" ") + 1;
  return length === 0 ? text.length : length;
}

function scanPiece(piece: string, { base, sink, offset }: MarkdownContext): void {
  const isMarked = piece.startsWith("\ufeff");
  const text = isMarked ? ` ${piece.slice(1)}` : piece;
  const found: FoundLink[] = [];
  const masked: Place[] = [];
  const html: Place[] = [];
  /** The backslashes that are not shown. */
  const backslashes: Place[] = [];
  /** The links and images that are open, the innermost one last. */
  const open: { readonly isImage: boolean; label: Place | null }[] = [];
  for (const [event, token] of postprocess(
    parse({ extensions: WITHOUT_EMPHASIS })
      .document()
      .write(preprocess()(text, undefined, true)),
  )) {
    const type = token.type as string;
    const place = { start: token.start.offset, end: token.end.offset };
    if (event === "enter" && (type === "link" || type === "image")) {
      open.push({ isImage: type === "image", label: null });
    } else if (event === "exit" && (type === "link" || type === "image")) open.pop();
    else if (event === "enter" && type === "escapeMarker") backslashes.push(place);
    else if (event === "enter" && type === "labelText" && open.length > 0) {
      open.at(-1)!.label ??= place;
    } else if (event === "enter" && (type === "htmlFlow" || type === "htmlText")) html.push(place);
    else if (
      event === "enter" &&
      (type === "resourceDestinationString" || type === "definitionDestinationString")
    ) {
      masked.push(place);
      const isResource = type === "resourceDestinationString";
      const { isImage = false, label = null } = (isResource ? open.at(-1) : undefined) ?? {};
      const shown = isImage ? null : label;
      const value = decodeReferences(text.slice(place.start, place.end).replace(ESCAPE, "$1"));
      const where = isImage ? "src" : "href";
      const [reading] = readings(value, where, { bases: [base], isMail: false });
      if (reading === undefined) continue;
      const written = text.slice(place.start, place.end);
      if (shown !== null && isElsewhere({ ...reading, text: written })) masked.push(shown);
      found.push({
        text: written,
        start: offset + place.start,
        end: offset + place.end,
        ...reading,
        where,
        shown: shown === null ? null : shownAsOther(labelText(text, shown), reading.url),
      });
    }
  }
  if (html.length > 0) {
    scanTags(text, html, base, offset, (link) => found.push(link));
    masked.push(...html);
  }
  const shown = cutText(
    mask(text, masked),
    backslashes.sort((one, other) => one.start - other.start),
  );
  findInText(shown.text, 0, (link) => {
    const start = shown.toSource(link.start, false);
    const end = shown.toSource(link.end, true);
    const place = { start: offset + start, end: offset + end };
    found.push({ ...link, ...place, text: text.slice(start, end) });
  });
  for (const link of found.sort((one, other) => one.start - other.start)) sink(link);
}

/** The text of a label, without the marks and destinations of images in it. */
function labelText(text: string, { start, end }: Place): string {
  return text.slice(start, end).replace(/!\[|\]\([^()]{0,2000}\)/g, "");
}

/**
 * Finds links in the HTML tags of a Markdown document. The text between the tags counts only as the visible text of
 * links.
 */
function scanTags(
  text: string,
  html: readonly Place[],
  base: string | null,
  offset: number,
  sink: LinkSink,
): void {
  let source = "";
  for (const { start, end } of html) {
    source += text.slice(source.length, start).replace(/[<&]/g, " ") + text.slice(start, end);
  }
  const scanner = htmlScanner({
    bases: [base],
    areBasesKnown: true,
    isMail: false,
    depth: 0,
    offset,
    sink: (link) => {
      const inside = html.some(
        ({ start, end }) => link.start >= offset + start && link.end <= offset + end,
      );
      if (inside) sink(link);
    },
  });
  scanner.push(source);
  scanner.end();
}

/** Replaces the given places of a text with spaces. */
function mask(text: string, places: readonly Place[]): string {
  let masked = "";
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    if (end <= masked.length) continue;
    const from = Math.max(start, masked.length);
    masked += text.slice(masked.length, from) + " ".repeat(end - from);
  }
  return masked + text.slice(masked.length);
}
