// Builds the site into dist/: the documents and the types, by TypeDoc, and the built page in playground/.
// `npm run docs` runs it after the page is built.
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import {
  Application,
  Comment,
  CommentTag,
  Converter,
  DefaultTheme,
  DocumentReflection,
  IndexEvent,
  JSX,
  MinimalSourceFile,
  PageEvent,
} from "typedoc";
import { licensesOf } from "../../checks/set-up/licenses.js";
import { openable } from "./examples.js";
import { homeOf, withCards } from "./home.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const OUT = fileURLToPath(new URL("dist", import.meta.url));
const README = join(ROOT, "README.md");
const PAGE = join(ROOT, "apps/demo/dist/web");
const PLAYGROUND = "playground/index.html";
const LICENSES = "licenses.txt";
/** A placeholder for the address of the page in links, until the path of the document with the link is known. */
const SCHEME = "playground:";
/**
 * The group of entry points that are not listed with the others. Their pages explain types that other entry points use.
 */
const INTERNALS = "Internals";

/** The source of each entry point of the packages, by its name: `@x/canon/verify`. */
const entries = new Map();
/** Entry points that only other packages need, which are those that the README of the package does not name. */
const internal = new Set();
for (const name of readdirSync(join(ROOT, "packages"))) {
  const folder = join(ROOT, "packages", name);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (manifest.private) continue;
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  for (const [subpath, target] of Object.entries(manifest.exports)) {
    const source = target["@x/source"];
    if (!source) continue;
    const entry = manifest.name + subpath.slice(1);
    entries.set(join(folder, source), entry);
    if (!readme.includes(entry)) internal.add(entry);
  }
}

/**
 * TypeDoc leaves code out of the anchors of headings. Code that is written as HTML around a text is kept, as on other
 * sites.
 */
function keepCodeInHeadings({ tokens, Token }) {
  const token = (type, content) => Object.assign(new Token(type, "", 0), { content });
  for (const [i, { type }] of tokens.entries()) {
    if (type !== "heading_open") continue;
    tokens[i + 1].children = tokens[i + 1].children.flatMap((child) =>
      child.type === "code_inline"
        ? [
            token("html_inline", "<code>"),
            token("text", child.content),
            token("html_inline", "</code>"),
          ]
        : [child],
    );
  }
}

const app = await Application.bootstrap({
  name: "urlhash",
  basePath: ROOT,
  tsconfig: join(ROOT, "docs/site/tsconfig.types.json"),
  entryPoints: [...entries.keys()],
  readme: README,
  projectDocuments: [
    "!(README).md",
    "docs/*.md",
    "docs/examples/{,*/}README.md",
    "apps/*/{,bench/}README.md",
    "packages/*/bench/README.md",
    "checks/clients/README.md",
  ].map((glob) => ROOT + glob),
  customCss: fileURLToPath(new URL("site.css", import.meta.url)),
  theme: "site",
  out: OUT,
  // Types are checked elsewhere, and the address of the repository is not known here.
  skipErrorChecking: true,
  disableSources: true,
  hideGenerator: true,
  searchInDocuments: true,
  searchInComments: true,
  navigation: { includeGroups: true },
  groupOrder: [
    "Guides",
    "Set up clients",
    "Programs",
    "Packages",
    "Project",
    "Measurements and tests",
    INTERNALS,
  ],
  // Types that are used only inside other types are not exported, and have no page.
  validation: { notExported: false },
  highlightLanguages: [
    "console",
    "javascript",
    "json",
    "nginx",
    "scala",
    "shellscript",
    "yaml",
    "sql",
    "typescript",
  ],
  ignoredHighlightLanguages: ["squid", "ucl"],
  markdownItLoader: (parser) => parser.core.ruler.push("code-in-headings", keepCodeInHeadings),
  logLevel: "Warn",
});

/**
 * Screen readers cannot use a link inside the control that unfolds a list, so a module becomes a plain link without its
 * functions.
 */
function withoutNestedLinks(element) {
  const children = element.path ? undefined : element.children?.map(withoutNestedLinks);
  return { ...element, children };
}

class SiteTheme extends DefaultTheme {
  buildNavigation(project) {
    return super
      .buildNavigation(project)
      .filter(({ text }) => text !== INTERNALS)
      .map(withoutNestedLinks);
  }
}
app.renderer.defineTheme("site", SiteTheme);

/** Sets `aria-level`, so that screen readers see no skipped level of headings. */
function withLevels(html) {
  const above = [];
  return html.replace(/<h([1-6])\b/g, (tag, level) => {
    while (above.at(-1) >= level) above.pop();
    above.push(level);
    return above.length === Number(level) ? tag : `${tag} aria-level="${above.length}"`;
  });
}

/** Removes the link from a heading that folds a part of the page, where it would be a link inside a button. */
function withoutLinksInSummaries(html) {
  return html.replace(/<summary\b.*?<\/summary>/gs, (summary) =>
    summary.replace(/<a [^>]*class="tsd-anchor-icon">.*?<\/a>/gs, ""),
  );
}

/** Removes the heading from the parts of a document, and returns it. */
function takeHeading(parts) {
  let heading = "";
  while (!heading.includes("\n")) heading += parts.shift().text;
  const [, title, rest] = /^# ([^\n]+)\n(.*)/s.exec(heading);
  parts.unshift({ kind: "text", text: rest });
  return title.replaceAll("`", "");
}

/** Adds links to the page after each example. */
function linkExamples(parts) {
  return parts.flatMap((part) => {
    const links = part.kind === "code" && part.text.startsWith("```") ? openable(part.text) : [];
    if (links.length === 0) return [part];
    const written = links.map(
      ({ text, fragment }) => `[\`\` ${text} \`\`](<${SCHEME}${fragment}>)`,
    );
    return [part, { kind: "text", text: `\n\nOpen in the page: ${written.join(" · ")}\n\n` }];
  });
}

/** Replaces the links to folders that have no page with their texts. */
function withoutFolderLinks(markdown, file) {
  return markdown.replace(/\[([^\]]+)\]\(([^):#]+)\)/g, (link, text, path) => {
    const target = join(dirname(file), path);
    const isFolder = existsSync(target) && statSync(target).isDirectory();
    return isFolder && !existsSync(join(target, "README.md")) ? text : link;
  });
}

function groupOf(path) {
  if (path.startsWith("docs/examples/")) return "Set up clients";
  if (path.startsWith("apps/")) return "Programs";
  if (path.includes("bench/") || path.startsWith("checks/")) return "Measurements and tests";
  return path.startsWith("docs/") ? "Guides" : "Project";
}

/** Makes links to a document, or to its folder, open the page of the document. */
function linkFiles(files, document, reflection) {
  files.registerReflectionPath(document, reflection);
  files.registerReflectionPath(dirname(document), reflection);
}

app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
  const { files } = document.project;
  const path = files.getReflectionPath(document);
  const heading = takeHeading([...document.content]);
  const [, measured] = /([^/]+)\/bench\/README\.md$/.exec(path) ?? [];
  document.name = measured === undefined ? heading : `${heading}: ${measured}`;
  document.content = linkExamples(document.content);
  document.frontmatter.group = groupOf(relative(ROOT, path));
  if (path.endsWith("/README.md")) linkFiles(files, path, document);
});

const home = homeOf(readFileSync(README, "utf8"));

/** Puts an entry point into the group of its kind. */
function setGroup(module) {
  module.comment ??= new Comment();
  const group = internal.has(module.name) ? INTERNALS : "Packages";
  module.comment.blockTags.push(new CommentTag("@group", [{ kind: "text", text: group }]));
}

app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  const { content: start } = app.converter.parseRawComment(
    new MinimalSourceFile(home.markdown, README),
    project.files,
  );
  project.readme = linkExamples(start);
  for (const module of project.children) {
    if (module instanceof DocumentReflection) continue;
    const source = project.files.getReflectionPath(module);
    module.name = entries.get(source);
    // The README of a package is the comment of its main entry point.
    if (!/^@x\/[^/]+$/.test(module.name)) {
      setGroup(module);
      continue;
    }
    const readme = join(ROOT, "packages", module.name.slice("@x/".length), "README.md");
    const file = new MinimalSourceFile(
      withoutFolderLinks(readFileSync(readme, "utf8"), readme),
      readme,
    );
    const { content } = app.converter.parseRawComment(file, project.files);
    // TypeDoc writes the heading of a module itself.
    takeHeading(content);
    module.comment = new Comment(content);
    setGroup(module);
    linkFiles(project.files, readme, module);
  }
  for (const { comment } of Object.values(project.reflections)) {
    if (!comment) continue;
    comment.summary = linkExamples(comment.summary);
    for (const tag of comment.blockTags) tag.content = linkExamples(tag.content);
  }
});

/** Factors by which pages count more in a search than a single type or function. */
const BOOSTS = new Map([
  ["Guides", 32],
  ["Programs", 32],
  ["Set up clients", 16],
  ["Measurements and tests", 8],
]);
/** Words that people search for when they need a page. */
const KEYWORDS = new Map([
  ["apps/server/bench/README.md", "performance speed"],
  ["apps/cli/README.md", "cli"],
  ["docs/check-urls.md", "check a url"],
  ["docs/links.md", "redirects short links"],
  ["docs/list-formats.md", "hosts file domains adblock csv"],
  ["docs/oblivious-http.md", "privacy relay"],
  ["docs/operations.md", "rollback restore backup"],
  ["docs/other-servers.md", "google api key"],
  ["docs/publishing.md", "publish a list"],
]);

function boostOf(reflection) {
  if (reflection instanceof DocumentReflection)
    return BOOSTS.get(reflection.frontmatter.group) ?? 1;
  return /^@x\/[^/]+$/.test(reflection.name) ? 24 : 1;
}

const textOf = (parts) => parts.map((part) => part.text).join("");

/**
 * The words of a text. Terms with several digits or with characters of code are left out, because lunr's searches fail
 * if such terms share parts of its tree.
 */
function wordsOf(text) {
  return text.match(/(?<![\p{L}\d])\p{L}{2,}\d{0,3}(?![\p{L}\d])/gu)?.join(" ") ?? "";
}

app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
  event.searchFieldWeights.headings = 5;
  for (const [i, reflection] of event.searchResults.entries()) {
    reflection.relevanceBoost = boostOf(reflection);
    const fields = event.searchFields[i];
    if (!(reflection instanceof DocumentReflection)) {
      const comments = [reflection, ...(reflection.signatures ?? [])].map(({ comment }) => comment);
      fields.headings = reflection.name;
      fields.comment = wordsOf(
        comments.map((comment) => textOf(comment?.summary ?? [])).join("\n"),
      );
      continue;
    }
    const { content, name } = reflection;
    const text = textOf(content);
    fields.document = wordsOf(text);
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
    const path = relative(ROOT, reflection.project.files.getReflectionPath(reflection));
    fields.headings = wordsOf([name, ...headings].join("\n"));
    fields.name = `${name} ${KEYWORDS.get(path) ?? ""}`;
  }
});

app.renderer.hooks.on("sidebar.begin", (context) =>
  JSX.createElement(
    "a",
    { class: "playground", href: context.relativeURL(PLAYGROUND) },
    "Try a URL",
  ),
);
app.renderer.hooks.on("footer.begin", (context) =>
  JSX.createElement(
    "p",
    null,
    JSX.createElement(
      "a",
      { href: context.relativeURL(LICENSES) },
      "Licenses of the libraries in this site",
    ),
  ),
);
app.renderer.on(PageEvent.END, (page) => {
  const up = "../".repeat(page.url.split("/").length - 1);
  page.contents = withLevels(withoutLinksInSummaries(page.contents))
    .replaceAll(`href="${SCHEME}`, `href="${up}${PLAYGROUND}`)
    // Screen readers need landmarks, and headings that are not empty.
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace('<div class="col-sidebar">', '<div class="col-sidebar" role="complementary">')
    .replaceAll("<th></th>", "<td></td>");
  if (page.url !== "index.html") return;
  page.contents = withCards(page.contents).replace("<h1>urlhash</h1>", `<h1>${home.title}</h1>`);
});

/**
 * Makes the search ignore single letters, because nearly every word contains them: in "check a url", the "a" alone
 * would decide the order.
 */
function withoutLetters() {
  const script = join(OUT, "assets/main.js");
  const code = readFileSync(script, "utf8");
  const found = code.match(/\.split\(" "\)\.map\((\w+)=>\1\.length\?/g);
  if (found?.length !== 1) throw new Error("The search of TypeDoc has changed.");
  writeFileSync(script, code.replace(found[0], found[0].replace(".length?", ".length>1?")));
}

/**
 * The licenses of TypeDoc, whose scripts and styles are in the site, and of lunr, which is in these scripts. The page
 * has a separate file of licenses.
 */
function siteLicenses() {
  const typedoc = createRequire(import.meta.url).resolve("typedoc");
  return licensesOf([typedoc, createRequire(typedoc).resolve("lunr")]);
}

rmSync(OUT, { recursive: true, force: true });
const project = await app.convert();
if (!project) process.exit(1);
app.validate(project);
await app.generateOutputs(project);
if (app.logger.hasErrors()) process.exit(1);
withoutLetters();
writeFileSync(join(OUT, LICENSES), siteLicenses());
cpSync(PAGE, join(OUT, dirname(PLAYGROUND)), { recursive: true });
writeFileSync(
  join(OUT, dirname(PLAYGROUND), "settings.json"),
  JSON.stringify({ documents: "../index.html" }),
);
console.log(`Built ${relative(process.cwd(), join(OUT, "index.html"))}`);
