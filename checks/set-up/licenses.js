// Finds the libraries that are part of built files, and their licenses.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const LICENSE_FILE = /^(?:licen[cs]e|copying)/i;

/** The folder of the installed package that a file belongs to; `undefined` for a file of this repository. */
function packageOf(file) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0];
}

/** The packages that some files belong to, each once, with their licenses, as Markdown. */
export function licensesOf(files) {
  const entries = new Map();
  for (const folder of new Set(files.map(packageOf))) {
    if (folder === undefined) continue;
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    if (license === undefined) throw new Error(`${folder} does not say how it is licensed`);
    const written = readdirSync(folder).find((file) => LICENSE_FILE.test(file));
    const text = written === undefined ? "" : readFileSync(join(folder, written), "utf8").trim();
    entries.set(`${name} ${version}`, `## ${name} ${version}\n\n${license}\n\n${text}`.trim());
  }
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  return `${["# Licenses of the libraries in these files", ...sorted].join("\n\n")}\n`;
}

/**
 * Two plugins for Vite. `write` writes the licenses of all packages in a build to a file. Vite bundles workers
 * separately, so their builds need `collect`.
 */
export function licenses(fileName) {
  const files = new Set();
  let root;
  const collect = {
    name: "urlhash:licenses-of-workers",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    generateBundle(_, bundle) {
      for (const { moduleIds, originalFileNames } of Object.values(bundle)) {
        // Virtual modules begin with NUL.
        for (const file of moduleIds ?? originalFileNames) {
          if (!file.startsWith("\0")) files.add(resolve(root, file));
        }
      }
    },
  };
  const write = {
    name: "urlhash:licenses",
    apply: "build",
    configResolved: collect.configResolved,
    generateBundle(...written) {
      collect.generateBundle.apply(this, written);
      this.emitFile({ type: "asset", fileName, source: licensesOf([...files]) });
    },
  };
  return { collect, write };
}
