/**
 * Prints the precision and recall of each candidate on the corpus, and the time that it takes for a text of prose. Run
 * it with `pnpm --filter @x/links bench`.
 */
import { readFileSync } from "node:fs";
import { tryParseUrl } from "@x/canon";
import { printMachine, printTable } from "@x/test-support/benchmark";
import { pageFinders, textFinders } from "./candidates.js";

const load = (name) =>
  JSON.parse(readFileSync(new URL(`../test/corpus/${name}.json`, import.meta.url), "utf8"));

/**
 * Returns the same text for URLs that lists treat as equal. The scheme does not matter, because some candidates add
 * one.
 */
function same(url) {
  const canonical = tryParseUrl(/^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `http://${url}`);
  if (canonical === null) return url;
  const { host, path, query } = canonical;
  return `${host}${path}${query === null ? "" : `?${query}`}`;
}

function score(cases, find) {
  const counts = { right: 0, wanted: 0, found: 0 };
  for (const [text, ...urls] of cases) {
    const wanted = urls.map(same);
    const found = attempt(() => find(text)).map(same);
    counts.wanted += wanted.length;
    counts.found += found.length;
    for (const url of found) {
      const at = wanted.indexOf(url);
      if (at === -1) continue;
      counts.right++;
      wanted.splice(at, 1);
    }
  }
  const percent = (part, whole) => `${(whole === 0 ? 100 : (100 * part) / whole).toFixed(1)}%`;
  return [percent(counts.right, counts.found), percent(counts.right, counts.wanted)];
}

/** Some candidates throw for some texts, which counts as finding nothing. */
function attempt(find) {
  try {
    return find();
  } catch {
    return [];
  }
}

const kinds = ["ordinary", "defanged", "disguised"];
const base = "http://doc.example/dir/page.html";
const heldOut = load("held-out");
const corpora = [
  { name: "the corpus", texts: load("texts"), pages: load("pages").cases },
  { name: "what was written before the package had read it", ...heldOut },
];
for (const { name, texts, pages } of corpora) {
  console.log(`\nLinks in text, ${name}: precision and recall\n`);
  printTable(
    ["", ...kinds.map((kind) => `${kind} (${texts[kind].length} texts)`)],
    Object.entries(textFinders).map(([finder, find]) => [
      finder,
      ...kinds.map((kind) => score(texts[kind], find).join(", ")),
    ]),
  );
  console.log(`\nLinks in HTML, ${name}: precision and recall\n`);
  printTable(
    ["", `${pages.length} pages`],
    Object.entries(pageFinders).map(([finder, find]) => [
      finder,
      score(pages, (html) => find(html, base)).join(", "),
    ]),
  );
}

/** Ordinary prose with a link in every third sentence. */
const prose = Array.from({ length: 300 }, (_, i) => {
  const url = i % 3 === 0 ? ` See https://www.example.com/page/${i}?ref=${i}.` : "";
  return `The quick brown fox jumps over the lazy dog, e.g. at 10:30, and nobody minds.${url}`;
}).join("\n");

console.log(`\nSpeed, on ${prose.length} characters of prose with ${Math.ceil(300 / 3)} links\n`);
printTable(
  ["", "milliseconds", "links"],
  Object.entries(textFinders).map(([name, find]) => {
    let best = Number.POSITIVE_INFINITY;
    let links = 0;
    for (let round = 0; round < 3; round++) {
      const start = performance.now();
      links = find(prose).length;
      best = Math.min(best, performance.now() - start);
    }
    return [name, best.toFixed(1), String(links)];
  }),
);
printMachine();
