import { tryParseUrlAsBrowser } from "../../../../packages/canon/dist/browser.js";
import { parseUrl, tryParseUrl } from "../../../../packages/canon/dist/index.js";
import { checker } from "../../../../packages/lookup/dist/index.js";
import { prefixList } from "../../../../packages/prefix-list/dist/index.js";
import { fullHash } from "../../../../packages/sha256-prefix/dist/index.js";

/** The expression for a host as a browser writes it. */
const expressionOf = (host) => `${parseUrl(`http://${host}/`).host}/`;

/**
 * Whether a host can exist. Chromium's `URL` escapes an asterisk before it maps a label, and Firefox's does not.
 * Neither form can be registered.
 */
const canHaveName = (host) => !/%2a/i.test(host);

/**
 * Compares the verdicts of `check` with the hosts that browsers open. `opened` has the opened hosts for each text. All
 * hosts that can exist are on one list, and the verdict on a text must name each of its hosts, or be an error.
 *
 * Returns the texts that are not found on the list (`missed`), those that browsers open although `check` has no reading
 * of browsers for them (`denied`), and those that have such a reading although no browser opens them (`claimed`).
 */
export function compareWithBrowsers(texts, opened) {
  const names = opened.map((found) => found.filter(canHaveName));
  const hosts = new Set(names.flat());
  const { check, scan } = checker(
    prefixList(
      [...hosts].map((host) => fullHash(expressionOf(host))),
      { name: "opened" },
    ),
  );
  const results = { missed: [], denied: [], claimed: [], listed: 0, errors: 0 };
  const lines = linesOf(texts);
  const scanned = new Map();
  for (const { line, matches, error } of scan(lines.bytes).verdicts) {
    scanned.set(lines.indices[line], { matches, error });
  }
  for (const [i, text] of texts.entries()) {
    const verdicts = [verdictOf(check, text)];
    if (lines.has[i]) verdicts.push(scanned.get(i) ?? { matches: [], error: null });
    const isOpened = opened[i].length > 0;
    const browser = tryParseUrlAsBrowser(text);
    if (!isOpened && browser !== null) results.claimed.push({ text, host: browser.host });
    if (!isOpened) continue;
    const expressions = names[i].map(expressionOf);
    for (const { matches, error } of verdicts) {
      const found = new Set(matches.map(({ expression }) => expression));
      const missing = expressions.filter((expression) => !found.has(expression));
      if (missing.length > 0 && error === null) {
        results.missed.push({ text, opened: opened[i], ours: tryParseUrl(text)?.host ?? null });
        break;
      }
    }
    if (verdicts[0].error === null) results.listed++;
    else results.errors++;
    if (browser === null && verdicts[0].error === null)
      results.denied.push({ text, opened: opened[i] });
  }
  return results;
}

function verdictOf(check, text) {
  try {
    return { matches: check(text), error: null };
  } catch (error) {
    if (error.name !== "CanonError") throw error;
    return { matches: [], error };
  }
}

/** The contents of a file with a line for each text that fits on one line. */
function linesOf(texts) {
  const indices = [];
  for (const [i, text] of texts.entries()) {
    if (text.isWellFormed() && !/[\r\n]/.test(text) && text.trim() !== "") indices.push(i);
  }
  const has = texts.map(() => false);
  for (const i of indices) has[i] = true;
  return { bytes: new TextEncoder().encode(indices.map((i) => texts[i]).join("\n")), indices, has };
}
