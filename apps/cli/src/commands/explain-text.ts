import type { CanonicalizationStep } from "@x/canon";
import {
  type Disguise,
  innerText,
  matchText,
  type Refusal,
  type UrlExplanation,
  unseenSite,
  verdictText,
} from "@x/explain";
import { printable, printableInShort } from "@x/explain/printable";
import type { CheckAnswer, FollowedLink } from "@x/links/follow";
import { chainLines, isUnfinished } from "../check/chain.ts";
import { disguiseLines } from "../check/disguises.ts";
import type { Context } from "../context.ts";
import { fill, fillBeside, foldBeside, hang } from "../output/layout.ts";
import { type Inside, isListed, matchesInside, type Unsure } from "./explained-inside.ts";

/* How the command `explain` writes its results as text. */

/** The verdict on one URL in a chain of redirects. */
export interface ExplainAnswer extends CheckAnswer {
  readonly matches: readonly string[];
}

export type Followed = FollowedLink<ExplainAnswer>;

export type Style = Pick<Context, "colours" | "columns">;

export interface VerdictStyle extends Style {
  /** The chance that a URL matches one of the lists of safe sites by coincidence. */
  readonly safeChance: number;
  /** The chance that a URL matches one of the lists of dangerous sites by coincidence. */
  readonly chance: number;
}

const alarming =
  ({ red, bold }: Style["colours"]) =>
  (text: string): string =>
    red(bold(text));

const STEP_INDENT = 26;
/** On terminals of at least this width, a full hash and its expression are on one line. */
const WIDE_COLUMNS = 120;

/**
 * Formats the canonicalization steps. A step that changed something is shown with its result, and any other step only
 * by its name.
 */
function stepLines(steps: readonly CanonicalizationStep[], { colours, columns }: Style): string[] {
  const lines: string[] = [];
  let unchanged: string[] = [];
  const flush = (): void => {
    const names = fill(
      unchanged.map((name) => `· ${name}`),
      columns === null ? null : columns - 4,
    );
    lines.push(...hang("  ", 4, names, colours.dim));
    unchanged = [];
  };
  for (const { step, text, changed } of steps) {
    if (!changed) {
      unchanged.push(step);
      continue;
    }
    flush();
    const label = `  ${colours.yellow("●")} ${colours.bold(step.padEnd(STEP_INDENT - 4))}`;
    lines.push(...foldBeside(label, STEP_INDENT, printableInShort(text), columns));
  }
  flush();
  return lines;
}

/** Describes how browsers read the input, if they read it differently. */
function browserLines({ browser, refused }: UrlExplanation, style: Style): string[] {
  if (browser === null) return [];
  const { colours, columns } = style;
  const item = (text: string): string[] => fillBeside("  · ", 4, text, columns);
  const isSame = browser.opens === browser.canonical;
  return [
    `\n${colours.underline("Browsers open another URL")}`,
    ...foldBeside("  ", 2, printableInShort(browser.opens), columns, colours.yellow),
    ...browser.differences.flatMap(({ message }) => item(message)),
    ...(isSame ? [] : item(`Canonical form: ${printableInShort(browser.canonical)}`)),
    ...(refused === null
      ? []
      : item(`The specification does not read this as a URL: expected ${refused.expected}.`)),
  ];
}

function expressionLines(
  { expressions, matches }: UrlExplanation,
  { colours, columns }: Style,
): string[] {
  const isWide = columns !== null && columns >= WIDE_COLUMNS;
  return expressions.flatMap(({ expression, hash, prefix, reading }) => {
    const isListed = matches.some((match) => match.expression === expression);
    const name = isListed ? alarming(colours) : colours.bold;
    const reader = reading === "browser" ? "  (browsers)" : "";
    const shown = `${printableInShort(expression)}${reader}`;
    const mark = isListed ? colours.red("▸ ") : "  ";
    const start = colours.cyan(hash.slice(0, prefix.length));
    const hex = `${colours.cyan(prefix)}  ${start}${colours.dim(hash.slice(prefix.length))}`;
    if (!isWide) return [...foldBeside(mark, 2, shown, columns, name), `    ${hex}`];
    const indent = 2 + prefix.length + 2 + hash.length + 2;
    return foldBeside(`${mark}${hex}  `, indent, shown, columns, name);
  });
}

/** Formats the URLs inside a URL and the notes about those that were not opened. */
function insideLines({ urls, notes }: Inside, { colours, columns }: Style): string[] {
  if (urls.length === 0 && notes.length === 0) return [];
  const found = urls.flatMap((inner) => {
    const style = inner.listed ? alarming(colours) : undefined;
    const mark = inner.listed ? colours.red("▸ ") : "  ";
    return foldBeside(mark, 2, printableInShort(innerText(inner)), columns, style);
  });
  const others = notes.flatMap((note) => fillBeside("  · ", 4, printableInShort(note), columns));
  return [`\n${colours.underline("URLs inside")}`, ...found, ...others];
}

/** Formats the ways in which a URL is built to mislead people. */
function disguiseSection(disguises: readonly Disguise[], { colours, columns }: Style): string[] {
  if (disguises.length === 0) return [];
  const lines = disguiseLines(disguises).flatMap((line) =>
    foldBeside("  ", 2, printableInShort(line), columns, colours.yellow),
  );
  return [`\n${colours.underline("Disguised")}`, ...lines];
}

/** Formats the verdict on a URL that counts as listed because another URL is listed. */
function listedLines(
  why: string,
  matches: readonly string[],
  { colours, columns }: Style,
): string[] {
  if (matches.length === 0) return [];
  return [
    ...foldBeside("  ", 2, `LISTED. ${why}`, columns, alarming(colours)),
    ...matches.flatMap((match) => foldBeside("    ", 4, printableInShort(match), columns)),
  ];
}

function verdictInside(inside: Inside, style: VerdictStyle): string[] {
  const matches = matchesInside(inside, style.chance);
  return listedLines("A URL inside it is on a list.", matches, style);
}

/** Formats the redirects of a URL. */
function chainSection(followed: Followed | undefined, { colours, columns }: Style): string[] {
  if (followed === undefined) return [];
  const lines = chainLines(followed);
  const shown = lines.length > 0 ? lines : ["nowhere else"];
  return [
    `\n${colours.underline("Where it leads")}`,
    ...shown.flatMap((line) => foldBeside("  ", 2, printableInShort(line), columns)),
  ];
}

/** Formats the verdict that results from following a URL. Returns no lines if following does not change the verdict. */
function verdictFollowed(followed: Followed | undefined, style: Style): string[] {
  if (followed?.verdict === "unsafe") {
    const { matches } = followed.hops.at(-1)!.answer!;
    return listedLines("It leads to a URL that is on a list.", matches, style);
  }
  if (followed === undefined || !isUnfinished(followed)) return [];
  const { colours, columns } = style;
  return foldBeside("  ", 2, "Unsure. It was not followed to its end.", columns, colours.yellow);
}

function unsureLines({ words }: Unsure, { colours, columns }: Style): string[] {
  return foldBeside("  ", 2, `Unsure. ${words}`, columns, colours.yellow);
}

function linesOfVerdict(
  explained: UrlExplanation,
  { colours, columns, safeChance }: VerdictStyle,
): string[] {
  const { verdict, title, detail, notes } = verdictText(explained);
  const unseen = unseenSite(explained);
  const hint = verdict === "no-list" ? " Name a list with --list FILE." : "";
  const style =
    verdict === "listed"
      ? alarming(colours)
      : verdict === "not-listed"
        ? colours.gray
        : colours.dim;
  const shown = verdict === "listed" ? title.toUpperCase() : title;
  const first = printableInShort(`${shown}. ${printable(detail)}${hint}`);
  const matches = [
    ...explained.matches.map((match) => matchText(match, explained.chanceOfFalseMatch)),
    ...explained.safeMatches.map(
      (match) => `${matchText(match, safeChance)}, a list of safe sites`,
    ),
  ];
  return [
    ...foldBeside("  ", 2, first, columns, style),
    ...matches.flatMap((match) => foldBeside("    ", 4, printableInShort(match), columns)),
    ...[...notes, ...(unseen === null ? [] : [unseen])].flatMap((note) =>
      fillBeside("  ", 2, printableInShort(note), columns, colours.dim),
    ),
  ];
}

export function toText(
  url: string | Uint8Array,
  explained: UrlExplanation,
  inside: Inside,
  style: VerdictStyle,
  followed: Followed | undefined,
  disguises: readonly Disguise[],
): string {
  const { colours, columns } = style;
  const title = (text: string) => `\n${colours.underline(text)}`;
  const isListedInside = explained.listed !== true && isListed(inside);
  const unsure = explained.listed === true ? null : inside.unsure;
  const followedLater = verdictFollowed(followed, style);
  const later =
    followedLater.length === 0 && unsure !== null ? unsureLines(unsure, style) : followedLater;
  return [
    ...foldBeside("", 0, printableInShort(url), columns, colours.bold),
    title("Canonicalization"),
    ...stepLines(explained.steps, style),
    title("Canonical URL"),
    ...foldBeside("  ", 2, printableInShort(explained.canonical), columns, colours.bold),
    ...browserLines(explained, style),
    title("Expressions, hash prefixes and full hashes (SHA-256)"),
    ...expressionLines(explained, style),
    ...insideLines(inside, style),
    ...chainSection(followed, style),
    ...disguiseSection(disguises, style),
    title("Verdict"),
    ...later,
    ...(isListedInside || later.length > 0 ? [] : linesOfVerdict(explained, style)),
    ...verdictInside(inside, style),
    "",
  ].join("\n");
}

/** Formats the result for an input that is not a URL, but has a listed URL inside. */
export function toTextOfRefused(
  url: string | Uint8Array,
  { error }: Refusal,
  inside: Inside,
  style: VerdictStyle,
): string {
  const { colours, columns } = style;
  return [
    ...foldBeside("", 0, printableInShort(url), columns, colours.bold),
    ...fillBeside("  ", 2, printableInShort(error.message), columns),
    ...insideLines(inside, style),
    `\n${colours.underline("Verdict")}`,
    ...verdictInside(inside, style),
    "",
  ].join("\n");
}
