// Writes a page for each entry point of the packages into pages/api, from the types and comments in their sources.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Converter } from "typedoc";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = fileURLToPath(new URL("pages/api/", import.meta.url));

/** The entry points: the name, such as `@x/canon/verify`, its source, and the folder and the README of its package. */
export function entryPoints() {
  return readdirSync(join(ROOT, "packages")).flatMap((folder) => {
    const path = join(ROOT, "packages", folder);
    const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    if (manifest.private) return [];
    const readme = readFileSync(join(path, "README.md"), "utf8");
    return Object.entries(manifest.exports).flatMap(([subpath, target]) => {
      const name = manifest.name + subpath.slice(1);
      const source = target["@x/source"];
      return source ? [{ name, source: join(path, source), folder, readme }] : [];
    });
  });
}

export async function writeApi() {
  const entries = new Map(entryPoints().map(({ name, source }) => [source, name]));
  const app = await Application.bootstrapWithPlugins({
    name: "urlhash",
    plugin: ["typedoc-plugin-markdown"],
    basePath: ROOT,
    tsconfig: join(ROOT, "docs/site/tsconfig.types.json"),
    entryPoints: [...entries.keys()],
    readme: "none",
    outputs: [{ name: "markdown", path: PAGES }],
    outputFileStrategy: "modules",
    hideBreadcrumbs: true,
    hidePageHeader: true,
    hideGroupHeadings: false,
    groupOrder: ["Functions", "Classes", "Interfaces", "*"],
    expandParameters: true,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    typeDeclarationFormat: "table",
    useCodeBlocks: true,
    useHTMLAnchors: true,
    excludeExternals: true,
    sanitizeComments: true,
    // Types are checked elsewhere, and the address of the repository is not known here.
    skipErrorChecking: true,
    disableSources: true,
    // Types that are used only inside other types are not exported, and have no page.
    validation: { notExported: false },
    logLevel: "Warn",
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children) {
      module.name = entries.get(project.files.getReflectionPath(module)) ?? module.name;
    }
  });
  const project = await app.convert();
  if (!project) throw new Error("TypeDoc cannot read the packages.");
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error("TypeDoc cannot write the types.");
  for (const entry of entryPoints()) introduce(entry);
}

/** Begins the page of an entry point with what its package does, and the first example that imports it. */
function introduce({ name, folder, readme }) {
  const page = join(PAGES, `${name}.md`);
  const [, purpose] = /^# [^\n]+\n\n(.+?)\n\n/s.exec(readme);
  const examples = readme.match(/^```ts\n[\s\S]*?^```$/gm) ?? [];
  const example = examples.find((code) => code.includes(` from "${name}";`)) ?? "";
  const about = `${purpose} [When and how to use it](/packages/${folder}/)`;
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(/^# .+\n/, (title) => `${title}\n${about}\n\n${example}\n`),
  );
}
