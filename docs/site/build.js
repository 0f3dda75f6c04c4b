// Builds the site into dist/: the documents and the types, by VitePress and TypeDoc, and the built page in check/.
// `npm run docs` runs it after the page is built. `--base /docs/` is the path at which a host will serve the site.
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "vitepress";
import { writeApi } from "./api.js";
import { linkApi, PAGE, writePages } from "./pages.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SITE = fileURLToPath(new URL(".", import.meta.url));
const OUT = join(SITE, "dist");

const { base } = parseArgs({ options: { base: { type: "string", default: "/" } } }).values;
if (!/^\/(?:.*\/)?$/.test(base)) throw new Error("--base must begin and end with a slash.");

for (const folder of ["dist", "pages", ".vitepress/cache"]) {
  rmSync(join(SITE, folder), { recursive: true, force: true });
}
writePages(base);
await writeApi();
linkApi(base);
process.env.SITE_BASE = base;
await build(SITE, { outDir: OUT });
cpSync(join(ROOT, "apps/demo/dist/web"), join(OUT, dirname(PAGE)), { recursive: true });
writeFileSync(
  join(OUT, dirname(PAGE), "settings.json"),
  JSON.stringify({ documents: "../index.html" }),
);
console.log(`Built ${relative(process.cwd(), join(OUT, "index.html"))}`);
