// Writes the documents of the repository as pages for VitePress, at the same paths, with the files that they link to.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { openable } from "./examples.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = fileURLToPath(new URL("pages/", import.meta.url));
/** The page that checks URLs, in the built site. */
export const PAGE = "check/index.html";
/** VitePress leaves a link with this attribute as it is, and the browser follows it. */
const PLAIN = '{target="_self"}';
/** A block of code, code in a line, or the target of a link or a picture. */
const CODE_OR_LINK = /(^ *```[\s\S]*?^ *```$|(`+)[^`][\s\S]*?\2)|\]\(([^)\s]+)\)/gm;

/** The paths of all documents: those at the top and in docs/, and the `README.md` of each part. */
export function documents() {
  const markdown = (folder) =>
    readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md"));
  const parts = (folder) => readdirSync(join(ROOT, folder)).map((name) => posix.join(folder, name));
  const folders = [...parts("apps"), ...parts("packages")];
  const readmes = [
    "docs/examples",
    ...parts("docs/examples"),
    ...folders,
    ...folders.map((folder) => `${folder}/bench`),
    "checks/clients",
  ].map((folder) => `${folder}/README.md`);
  return [
    ...markdown("."),
    ...markdown("docs").map((name) => `docs/${name}`),
    ...readmes.filter((readme) => existsSync(join(ROOT, readme))),
  ];
}

/** The path of a page from the path of its document: the page of a folder is that of its `README.md`. */
export function pageOf(document) {
  return document.replace(/(^|\/)README\.md$/, "$1index.md");
}

/** Copies a file so that it has the same path in the site. */
function publish(path, folder) {
  const copy = join(PAGES, folder, path);
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(join(ROOT, path), copy);
}

/** Replaces the links to folders that have no page with their texts. */
function withoutFolders(markdown, document) {
  return markdown.replace(/\[([^\]]+)\]\(([^):#]+)\)/g, (link, text, path) => {
    const target = join(ROOT, dirname(document), path);
    const isFolder = existsSync(target) && statSync(target).isDirectory();
    return isFolder && !existsSync(join(target, "README.md")) ? text : link;
  });
}

/** The target of a link in a document, as it is in the site. */
function targetOf(link, document, base) {
  if (/^[a-z]+:|^#/.test(link)) return link;
  const [path, anchor = ""] = link.split(/(?=#)/);
  const target = posix.join(posix.dirname(document), path);
  if (!existsSync(join(ROOT, target))) throw new Error(`${document} links to ${target}.`);
  const file = statSync(join(ROOT, target)).isDirectory()
    ? posix.join(target, "README.md")
    : target;
  if (file.endsWith(".md")) return `/${pageOf(file)}${anchor}`;
  if (/\.(?:png|svg)$/.test(file)) {
    publish(file, "");
    return link;
  }
  publish(file, "public");
  return `${base}${file}`;
}

/** The links that open the URLs and URNs of an example in the page. */
function linksToPage(code, base) {
  const links = openable(code).map(
    ({ text, fragment }) => `[\`\` ${text} \`\`](<${base}${PAGE}${fragment}>)${PLAIN}`,
  );
  return links.length === 0 ? "" : `\n\nOpen on the page: ${links.join(" · ")}\n`;
}

/** Changes the links in Markdown, and adds links after its examples. `target` gives the new target of a link. */
function relinked(markdown, base, target) {
  return markdown.replace(CODE_OR_LINK, (_, code, ticks, link) => {
    if (code !== undefined) return ticks === undefined ? code + linksToPage(code, base) : code;
    const changed = target(link);
    return `](${changed})${changed.startsWith(base) && !/\.md(?:#|$)/.test(changed) ? PLAIN : ""}`;
  });
}

/** The start page: the README, with its sections and its picture in the order in which newcomers need them. */
function homeOf(readme) {
  const [start, ...sections] = readme.split(/^(?=## )/m);
  const [, title, tagline] = /^# ([^\n]+)\n\n(.+?)\n\n/s.exec(start);
  const take = (name) => {
    const index = sections.findIndex((section) => section.startsWith(`## ${name}\n`));
    if (index < 0) throw new Error(`The README has no section "${name}".`);
    return sections.splice(index, 1)[0];
  };
  const picture = /^!\[([^\]]*)\]\(docs\/page\.png\)\n+/m;
  const [, alt] = picture.exec(readme);
  publish("docs/page.png", "public");
  const first = [take("Who is it for?"), take("In five lines"), take("Install")];
  const home = {
    layout: "home",
    hero: {
      name: title,
      tagline: tagline.replaceAll("\n", " "),
      image: { src: "/docs/page.png", alt },
      actions: [
        { text: "Check a URL", link: `/${PAGE}`, target: "_self" },
        { text: "Read the documentation", link: "/docs/", theme: "alt" },
      ],
    },
  };
  const example = start.slice(start.indexOf("```"));
  return `---\n${JSON.stringify(home)}\n---\n\n${example}${[...first, ...sections].join("").replace(picture, "")}`;
}

/** Adds links to the examples on the pages of types. */
export function linkApi(base) {
  const folder = join(PAGES, "api");
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith(".md")) continue;
    const page = join(folder, name);
    writeFileSync(
      page,
      relinked(readFileSync(page, "utf8"), base, (link) => link),
    );
  }
}

export function writePages(base) {
  for (const document of documents()) {
    const text = readFileSync(join(ROOT, document), "utf8").replace(/^<!--.*-->\n/gm, "");
    const markdown = document === "README.md" ? homeOf(text) : text;
    const page = join(PAGES, pageOf(document));
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(
      page,
      relinked(withoutFolders(markdown, document), base, (link) => targetOf(link, document, base)),
    );
  }
  mkdirSync(join(PAGES, "public"), { recursive: true });
  cpSync(join(ROOT, "apps/demo/src/web/icon.svg"), join(PAGES, "public/icon.svg"));
}
