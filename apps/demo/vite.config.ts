import { fileURLToPath, pathToFileURL } from "node:url";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { licenses } from "../../checks/set-up/licenses.js";
import { filesBeside, phishingListFile, precache } from "./src/web/build/plugins.ts";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Takes the place of the module with the table of UTS #46 (see `laterHostTable`). */
const HOST_TABLE = "virtual:host-table";

/** The development server adds styles and scripts to the page that its policy would refuse. */
const noPolicyInDevelopment: Plugin = {
  name: "urlhash:no-policy-in-development",
  apply: "serve",
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv[^>]*>/, ""),
};

/** Vite wraps `import()` in code that loads style sheets and preloads scripts. The page needs neither. */
const plainImport: Plugin = {
  name: "urlhash:plain-import",
  apply: "build",
  enforce: "pre",
  load: (id) =>
    id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null,
};

/**
 * Micromark reads character references with the document of a page. A worker has no document, and needs the table
 * instead.
 */
const noDocument: Plugin = {
  name: "urlhash:no-document",
  enforce: "pre",
  async resolveId(id, importer) {
    if (id !== "decode-named-character-reference") return null;
    const found = await this.resolve(id, importer, { skipSelf: true });
    return found && { ...found, id: found.id.replace("index.dom.js", "index.js") };
  },
};

/** The policy of the page forbids WebAssembly, so its kernels are left out. */
const noKernel: Plugin = {
  name: "urlhash:no-kernel",
  enforce: "pre",
  resolveId: (id, importer) =>
    id === "#kernel" ? fileURLToPath(new URL("./no-kernel.js", pathToFileURL(importer!))) : null,
};

/**
 * Only hosts that are not ASCII need the table of UTS #46, which takes 13 kB when compressed. It comes with the
 * modules that are loaded later. Until then, reading such a host throws, and the page waits.
 */
const laterHostTable: Plugin = {
  name: "urlhash:later-host-table",
  enforce: "pre",
  async resolveId(id, importer) {
    if (id === `${HOST_TABLE}-text`) {
      const canon = await this.resolve("@x/canon", importer);
      return fileURLToPath(new URL("./steps/uts46-table.generated.js", pathToFileURL(canon!.id)));
    }
    return id === HOST_TABLE || id.endsWith("/uts46-table.generated.js") ? HOST_TABLE : null;
  },
  load: (id) =>
    id === HOST_TABLE
      ? "export let TABLE; export const setHostTable = (text) => { TABLE = text; };"
      : null,
};

/**
 * Programs that preview links need the absolute URL of the picture. The build adds the URL if `PAGE_URL` is set to the
 * address of the page.
 */
const previewUrl: Plugin = {
  name: "urlhash:preview-url",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (html) =>
      html.replace(
        /(property="og:image" content=")([^"]+)/,
        (_, start: string, file: string) => start + absolute(file),
      ),
  },
};

function absolute(file: string): string {
  const page = process.env["PAGE_URL"];
  return page === undefined ? file : new URL(file, page).href;
}

/** The licenses go into a text file, which every browser can show. */
const { collect, write } = licenses("licenses.txt");

/** The page: static files that any host can serve, from any folder. */
const config: UserConfig = defineConfig({
  root: path("src/web"),
  base: "./",
  publicDir: false,
  cacheDir: path("node_modules/.vite"),
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [
    phishingListFile(),
    filesBeside(),
    write,
    precache(),
    plainImport,
    noKernel,
    laterHostTable,
    previewUrl,
    noPolicyInDevelopment,
  ],
  worker: { format: "es", plugins: () => [noDocument, noKernel, collect] },
  build: {
    outDir: path("dist/web"),
    emptyOutDir: true,
    target: "es2022",
    // The Content-Security-Policy of the page forbids data: URLs.
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: {
      input: { index: path("src/web/index.html"), sw: path("src/web/workers/service-worker.ts") },
      output: {
        // The URL of the service worker must stay the same, or an old one would never be replaced.
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
      },
    },
  },
});

export default config;
