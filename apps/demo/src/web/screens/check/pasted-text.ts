import { LINKS_HEADING } from "../../model/links-behind-words.ts";
import { linesOfLinks } from "../../model/links-of-pasted-html.ts";
import { withoutStyles } from "../../model/without-styles.ts";
import { parseHtml } from "../../trusted-types.ts";
import { ask } from "../../worker-client.ts";

const MOST_LINKS = 500;

/** The plain text of pasted HTML, with the links below it, because plain text does not say where links lead. */
export async function pastedText(html: string, plain: string): Promise<string> {
  const lines = linesOfLinks(parseHtml(withoutStyles(html)), plain, MOST_LINKS + 1);
  const text = withLines(plain, lines);
  // Without the worker, there is no answer about several links anyway.
  const missing = await ask("missingLinks", { html, text }).catch(() => []);
  return withLines(plain, [...lines, ...missing]);
}

function withLines(plain: string, lines: readonly string[]): string {
  if (lines.length === 0) return plain;
  const shown = [LINKS_HEADING, ...lines.slice(0, MOST_LINKS)];
  if (lines.length > MOST_LINKS) shown.push(`Only the first ${MOST_LINKS} links are read.`);
  return `${plain.trimEnd()}\n\n${shown.join("\n")}\n`.trimStart();
}
