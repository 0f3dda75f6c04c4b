import { type CanonicalizationStep, explainCanonicalization, parseUrl } from "@x/canon";
import { checker, type Match, type UrlHash, urlHashes } from "@x/lookup";
import type { PrefixList } from "@x/prefix-list";
import { toHex } from "@x/sha256-prefix";
import { printable, printableInShort } from "../text/printable.ts";
import type { Context } from "./context.ts";
import { counted } from "./counted.ts";
import { type Evaluate, oneByOne } from "./evaluate.ts";
import { fill, fold, hang } from "./layout.ts";
import { hashRecords, matchRecords } from "./records.ts";

const STEP_INDENT = 26;
/** From here on a full hash and an expression stand on one line. */
const WIDE_COLUMNS = 120;

type Style = Pick<Context, "colours" | "columns">;

/** The steps: those that changed something with their result, the others by name. */
function stepLines(steps: readonly CanonicalizationStep[], { colours, columns }: Style): string[] {
  const lines: string[] = [];
  let unchanged: string[] = [];
  const flush = (): void => {
    const width = columns === null ? null : columns - 4;
    lines.push(
      ...hang(
        "  ",
        4,
        fill(
          unchanged.map((name) => `· ${name}`),
          width,
        ),
        colours.dim,
      ),
    );
    unchanged = [];
  };
  for (const { step, text, changed } of steps) {
    if (!changed) {
      unchanged.push(step);
      continue;
    }
    flush();
    const label = `  ${colours.yellow("●")} ${colours.bold(step.padEnd(STEP_INDENT - 4))}`;
    const width = columns === null ? null : columns - STEP_INDENT;
    lines.push(...hang(label, STEP_INDENT, fold(printableInShort(text), width)));
  }
  flush();
  return lines;
}

function hashLines(
  hashes: readonly UrlHash[],
  matches: readonly Match[],
  { colours, columns }: Style,
): string[] {
  const isWide = columns !== null && columns >= WIDE_COLUMNS;
  return hashes.flatMap(({ expression, hash, prefix }) => {
    const isListed = matches.some((match) => match.expression === expression);
    const name = isListed ? (text: string) => colours.red(colours.bold(text)) : colours.bold;
    const shown = printableInShort(expression);
    const mark = isListed ? colours.red("▸ ") : "  ";
    const [short, full] = [toHex(prefix), toHex(hash)];
    const hex = `${colours.cyan(short)}  ${colours.cyan(full.slice(0, short.length))}${colours.dim(full.slice(short.length))}`;
    if (!isWide) {
      const width = columns === null ? null : columns - 2;
      return [...hang(mark, 2, fold(shown, width), name), `    ${hex}`];
    }
    const indent = 2 + short.length + 2 + full.length + 2;
    return hang(`${mark}${hex}  `, indent, fold(shown, columns - indent), name);
  });
}

function verdictLines(
  lists: readonly PrefixList[],
  matches: readonly Match[],
  { colours }: Style,
): string[] {
  if (lists.length === 0) return [colours.dim("  none: no list was given (--list FILE)")];
  return lists.flatMap((list) => {
    const found = matches.filter((match) => match.list === list);
    const name = `${printable(list.name)} (${counted(list.size, "prefix", "prefixes")})`;
    if (found.length === 0) return [`  ${colours.green("not listed")} on ${name}`];
    return [
      `  ${colours.red(colours.bold("LISTED"))} on ${name}`,
      ...found.map(
        ({ expression, prefix }) => `    ${toHex(prefix)}  ${printableInShort(expression)}`,
      ),
    ];
  });
}

/** Shows the whole way of a URL, from what was given to the verdict. */
export function explaining(
  lists: readonly PrefixList[],
  prefixBytes: number,
  style: Style,
): Evaluate {
  const { colours, columns } = style;
  const { check } = checker(lists);
  return oneByOne((given) => {
    const steps = explainCanonicalization(given);
    const url = parseUrl(given);
    const hashes = urlHashes(url, { prefixBytes });
    const matches = check(given);
    const { href, ...parts } = url;
    return {
      isListed: matches.length > 0,
      toRecord: () => ({
        steps,
        canonical: href,
        ...parts,
        ...hashRecords(hashes),
        ...(lists.length > 0 ? matchRecords(matches) : {}),
      }),
      toText: () => {
        const title = (text: string) => `\n${colours.underline(text)}`;
        return [
          ...hang("", 0, fold(printableInShort(given), columns), colours.bold),
          title("Canonicalization"),
          ...stepLines(steps, style),
          title("Canonical URL"),
          ...hang(
            "  ",
            2,
            fold(printableInShort(href), columns === null ? null : columns - 2),
            colours.green,
          ),
          title("Expressions, hash prefixes and full hashes (SHA-256)"),
          ...hashLines(hashes, matches, style),
          title("Verdict"),
          ...verdictLines(lists, matches, style),
          "",
        ].join("\n");
      },
    };
  });
}
