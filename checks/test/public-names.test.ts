import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOf, PUBLISHED } from "./package-layers.ts";
import { ROOT, readManifest, trackedFiles } from "./repository.ts";

/*
 * Each function, constant and class that a package exports has a user: another package, an app or an example imports
 * it, or a document names it. Types belong to the functions that take or return them.
 */

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

const NAMED = /^(?:import|export)\s+\{([^}]*)\}\s+from\s+"([^"]+)"/gm;
const DECLARED = /^export\s+(?:async\s+)?(?:function\*?|const|class)\s+(\w+)/gm;

/** The names in braces that are not types, as they are called before and after `as`. */
function namesIn(list: string): (readonly [from: string, as: string])[] {
  const names = list.split(",").map((name) => name.trim().split(" as "));
  return names
    .filter(([name]) => name !== "" && !name!.startsWith("type "))
    .map(([name, as]) => [name!, as ?? name!]);
}

/** The values that each subpath of a package exports. */
function exportsOf(name: string): (readonly [subpath: string, name: string])[] {
  const folder = folderOf(name);
  const entries = Object.entries(readManifest(join(ROOT, folder)).exports);
  return entries.flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const source = read(join(folder, (target as { readonly "@x/source": string })["@x/source"]));
    const exported = [...source.matchAll(NAMED)].filter(([line]) => line.startsWith("export"));
    const names = [
      ...exported.flatMap(([, list]) => namesIn(list!).map(([, as]) => as)),
      ...[...source.matchAll(DECLARED)].map(([, declared]) => declared!),
    ];
    expect(names, `${name} ${subpath}`).not.toEqual([]);
    return names.map((exported) => [`@x/${name}${subpath.slice(1)}`, exported] as const);
  });
}

/** The names that files import from packages of ours other than their own, each after the package and `#`. */
function importedNames(files: readonly string[]): Set<string> {
  const imported = new Set<string>();
  for (const file of files) {
    const own = /^packages\/([^/]+)\//.exec(file)?.[1];
    for (const [, list, source] of read(file).matchAll(NAMED)) {
      const name = /^@x\/([^/]+)/.exec(source!)?.[1];
      if (name === undefined || name === own) continue;
      for (const [from] of namesIn(list!)) imported.add(`${name}#${from}`);
    }
  }
  return imported;
}

test("each exported name has a user, or stands in a document", () => {
  const files = trackedFiles();
  const isCode = (file: string) =>
    /\.[cm]?[jt]sx?$/.test(file) && !/^packages\/[^/]+\/test\//.test(file);
  const imported = importedNames(files.filter(isCode));
  const documents = files.filter((file) => /^(?:docs\/.*|packages\/[^/]+\/README)\.md$/.test(file));
  const words = new Set(documents.flatMap((file) => read(file).match(/\w+/g) ?? []));
  const exported = PUBLISHED.flatMap(exportsOf);
  const unused = exported.filter(([subpath, name]) => {
    const [, of] = /^@x\/([^/]+)/.exec(subpath)!;
    return !imported.has(`${of}#${name}`) && !words.has(name);
  });
  expect(unused).toEqual([]);
  // An upper limit, so that a new name is a decision.
  expect(exported.length).toBeLessThanOrEqual(400);
});
