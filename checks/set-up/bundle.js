// Bundles a package for Node: `node ../../checks/set-up/bundle.js` in its folder, after `tsc`.
//
// Node takes longer to find and open hundreds of modules than to run them, so each entry point is one file, and code
// that entry points share is in a few more. Other packages stay imports. Bundlers get the single modules that `tsc`
// wrote.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";

const OUT = "dist/bundled";
const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
const entries = Object.values(exports).flatMap((entry) =>
  entry.node === undefined ? [] : [[entry.node.slice(`./${OUT}/`.length), entry["@x/source"]]],
);

const { output } = await build({
  configFile: false,
  logLevel: "warn",
  publicDir: false,
  build: {
    ssr: true,
    target: "es2022",
    minify: false,
    sourcemap: true,
    outDir: OUT,
    rolldownOptions: {
      input: Object.fromEntries(
        entries.map(([to, source]) => [to.replace(/\.js$/, ""), resolve(source)]),
      ),
      // A Windows path such as `C:\…` is not the name of a package.
      external: /^[@a-z](?!:)/i,
      output: {
        entryFileNames: "[name].js",
        // Modules that the same entry points share are in one file, so an entry point loads only the code that it
        // needs.
        chunkFileNames: "shared/[name].js",
      },
    },
  },
});

// The sources are in the package, so the maps need not repeat them.
for (const { fileName } of output.filter(({ fileName }) => fileName.endsWith(".map"))) {
  const file = join(OUT, fileName);
  const { sourcesContent, ...map } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(map));
}
