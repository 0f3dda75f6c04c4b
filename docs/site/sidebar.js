// The pages of the site in the order in which they are read.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { entryPoints } from "./api.js";
import { documents, pageOf } from "./pages.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The starting points in docs/README.md, then what one looks up. */
const GROUPS = [
  ["Start", ["docs/README.md", "docs/install.md"]],
  ["I publish a list", ["docs/publishing.md", "docs/list-formats.md", "docs/stores.md"]],
  ["I run a server", ["docs/serving.md", "docs/dns.md", "docs/operations.md"]],
  ["I build a program", ["docs/cookbook.md", "docs/client.md"]],
  ["Guides", /^docs\/[^/]+$/],
  ["Set up clients", /^docs\/examples\//],
  ["Programs", /^apps\/[^/]+\/README/],
  ["Packages", /^packages\/[^/]+\/README/],
  ["Measurements and tests", /\//],
  ["Project", /^/],
];

/** The heading of a document, without the marks of code. */
function titleOf(document) {
  const text = readFileSync(join(ROOT, document), "utf8");
  const [, title] = /^# (.+)$/m.exec(text);
  const [, measured] = /([^/]+)\/bench\/README\.md$/.exec(document) ?? [];
  return `${title.replaceAll("`", "")}${measured === undefined ? "" : `: ${measured}`}`;
}

/** The entry points that the READMEs of their packages name. */
const named = entryPoints().filter(({ name, readme }) => readme.includes(name));

/** The pages of the entry points of a package. */
function apiOf(document) {
  const [, folder] = /^packages\/([^/]+)\/README\.md$/.exec(document) ?? [];
  return named
    .filter((entry) => entry.folder === folder)
    .map(({ name }) => ({ text: name === `@x/${folder}` ? "API" : name, link: `/api/${name}` }));
}

function itemOf(document) {
  const link = `/${pageOf(document).replace(/(?:index)?\.md$/, "")}`;
  const items = apiOf(document);
  return { text: titleOf(document), link, ...(items.length > 0 && { items }) };
}

/** All groups. Each document is in the first that has it. */
export function groups() {
  const left = new Set(documents().filter((document) => document !== "README.md"));
  return GROUPS.map(([text, group]) => {
    const chosen = Array.isArray(group) ? group : [...left].filter((path) => group.test(path));
    for (const document of chosen) left.delete(document);
    return { text, items: chosen.map(itemOf) };
  });
}

/** What is shown beside the pages below a path: the starting points, or the group that one has opened. */
export function sidebar() {
  const all = groups();
  const group = (name) => all.find(({ text }) => text === name);
  const packages = [group("Packages")];
  return {
    "/": all.filter(({ text }) => text !== "Packages" && text !== "Set up clients"),
    "/docs/examples/": [group("Set up clients")],
    "/packages/": packages,
    "/api/": packages,
  };
}
