// Makes the table of docs/interop.md from the texts that the clients look up for the vectors of "Hashing URLs".
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { readAs, reportEntry } from "../../../../packages/interop/dist/index.js";
import { clamavLookups, sha256 } from "../clamav/clamav-lookups.js";
import { firefoxScripts } from "../firefox/firefox-scripts.js";
import { program } from "../support/required-programs.js";

const root = (path) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const VECTORS = root("packages/canon/test/vectors/web-risk.json");
export const DOCUMENT = root("docs/interop.md");

const START = "<!-- table -->\n";
const END = "<!-- end of table -->";

/** The vectors as text, with a scheme. */
export function vectorUrls() {
  return JSON.parse(readFileSync(VECTORS, "utf8")).cases.map(({ input }) => {
    const text =
      typeof input === "string" ? input : Buffer.from(input.octets, "hex").toString("latin1");
    return /^ *[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  });
}

const code = (text) => {
  const shown = text.replace(
    /[\0-\x1f\x7f-\x9f|`]/g,
    (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  // Markdown removes one blank at each end.
  return /^ | $/.test(shown) ? `\` ${shown} \`` : `\`${shown}\``;
};

const shorten = (text) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** The rows of the table, from the current answers of the clients: the URLs that not all three clients find. */
export async function interopTable() {
  const urls = vectorUrls();
  const firefox = await firefoxScripts({ path: program("firefox-esr").path });
  let keys;
  try {
    keys = await firefox.keys(urls);
  } finally {
    await firefox.stop();
  }
  const clamav = await clamavLookups(program("clamscan").path, urls);
  const rows = urls.map((url, i) => {
    const { expression, clients } = reportEntry(url);
    // An expression contains neither an empty query nor its question mark.
    const key = keys[i]?.replace(/^([^?]*)\?$/, "$1") ?? null;
    const firefoxSays = key === null ? "not loadable" : key === expression ? "yes" : code(key);
    const hashes = clamav[i];
    const clamavText = readAs("clamav", url).exact;
    const clamavSays =
      hashes === null
        ? "crashes"
        : hashes.has(sha256(expression))
          ? "yes"
          : clamavText !== null && hashes.has(sha256(Buffer.from(clamavText, "latin1")))
            ? code(shorten(clamavText))
            : "no";
    const said = (name) => {
      const { blocks, code: reason } = clients.find(({ client }) => client === name);
      return blocks === "entry"
        ? "yes"
        : reason === "lower-case-escapes"
          ? "lower case"
          : reason.replaceAll("-", " ");
    };
    return [
      code(shorten(url)),
      code(shorten(expression)),
      firefoxSays,
      clamavSays,
      said("google-go"),
    ];
  });
  const head = ["URL", "expression", "Firefox", "ClamAV", "Go client"];
  const shown = rows.filter((row) => row.slice(2, 5).some((cell) => cell !== "yes"));
  // As the formatter aligns it.
  const widths = head.map((_, i) => Math.max(...[head, ...shown].map((row) => row[i].length)));
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |\n`;
  return [head, widths.map((width) => "-".repeat(width)), ...shown].map(line).join("");
}

export function committedTable() {
  const text = readFileSync(DOCUMENT, "utf8");
  return text.slice(text.indexOf(START) + START.length, text.indexOf(END));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = readFileSync(DOCUMENT, "utf8");
  const table = await interopTable();
  writeFileSync(
    DOCUMENT,
    text.slice(0, text.indexOf(START) + START.length) + table + text.slice(text.indexOf(END)),
  );
}
