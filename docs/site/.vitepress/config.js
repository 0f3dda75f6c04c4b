import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { licenses } from "../../../checks/set-up/licenses.js";
import { entryPoints } from "../api.js";
import { PAGE } from "../pages.js";
import { sidebar } from "../sidebar.js";

/** Words that people search for when they need a page that does not have them. */
const KEYWORDS = {
  "apps/server/bench/index.md": "performance speed",
  "packages/lookup/bench/index.md": "performance speed",
};
/** Entry points that only other packages need. Their pages explain types that others use, and are not searched. */
const INTERNAL = new Set(
  entryPoints()
    .filter(({ name, readme }) => !readme.includes(name))
    .map(({ name }) => `api/${name}.md`),
);
const { collect, write } = licenses("licenses.txt");

/** The path of the site on its host, which `build.js` sets. */
const base = process.env.SITE_BASE ?? "/";

/** The anchors that GitHub gives to headings, to which the documents link. */
function slugify(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** Screen readers need headers of columns that are not empty. */
function withoutEmptyHeaders(parser) {
  parser.core.ruler.push("empty-headers", ({ tokens }) => {
    for (const [i, { type }] of tokens.entries()) {
      if (type === "th_open" && tokens[i + 1].content === "") {
        for (const cell of [tokens[i], tokens[i + 2]]) cell.tag = "td";
      }
    }
  });
}

export default defineConfig({
  base,
  title: "urlhash",
  description: "Check URLs against lists without telling anyone the URLs",
  srcDir: "pages",
  lang: "en",
  vite: {
    plugins: [collect, write],
    publicDir: fileURLToPath(new URL("../pages/public", import.meta.url)),
    logLevel: "warn",
    // The index of the search is loaded only when somebody searches.
    build: { chunkSizeWarningLimit: 3000 },
  },
  markdown: {
    languageAlias: { squid: "ini", ucl: "nginx", caddy: "nginx" },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify },
    config: withoutEmptyHeaders,
  },
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }]],
  themeConfig: {
    logo: "/icon.svg",
    outline: [2, 3],
    sidebar: sidebar(),
    nav: [
      { text: "Documentation", link: "/docs/" },
      { text: "Packages", link: "/ARCHITECTURE" },
      { text: "Check a URL", link: `/${PAGE}`, target: "_self" },
    ],
    search: {
      provider: "local",
      options: {
        detailedView: true,
        _render(src, env, md) {
          if (INTERNAL.has(env.relativePath)) return "";
          const html = md.render(src, env);
          const keywords = KEYWORDS[env.relativePath];
          return keywords === undefined ? html : html.replace("</h1>", `</h1><p>${keywords}</p>`);
        },
        miniSearch: {
          searchOptions: {
            boost: { title: 8, titles: 4, text: 1 },
            // Short words have no misspellings: "file" is not "five".
            fuzzy: (term) => (term.length > 5 ? 0.2 : false),
            // The guides come first, and single types last.
            boostDocument(id) {
              if (id.includes("/api/")) return 0.1;
              if (id.includes("/docs/examples/")) return 3;
              return /\/docs\/[^/]*\.html|\/SECURITY\.html/.test(id) ? 4 : 1;
            },
          },
        },
      },
    },
    footer: {
      message: `<a href="${base}licenses.txt" target="_self">Licenses of the libraries in this site</a>`,
    },
  },
});
