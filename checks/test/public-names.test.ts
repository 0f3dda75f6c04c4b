import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOf, PUBLISHED } from "./package-layers.ts";
import { ROOT, readManifest, sourceFiles, trackedFiles } from "./repository.ts";

/*
 * Each name that a package exports has a user: another package, an app or an example imports it, or a document names
 * it. A type may also be that of an argument, a result or a member in the declarations of its package.
 */

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

const NAMED = /^(?:import|export)\s+(type\s+)?\{([^}]*)\}\s+from\s+"([^"]+)"/gm;
const DECLARED = /^export\s+(?:async\s+)?(function\*?|const|class|interface|type)\s+(\w+)/gm;

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*/g;

interface Name {
  readonly name: string;
  readonly isType: boolean;
}

/** The names in braces, as they are called before and after `as`. */
function namesIn(list: string, areTypes: boolean): (readonly [from: Name, as: string])[] {
  return list
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map((each) => {
      const [name, as] = each.replace(/^type /, "").split(" as ") as [string, string?];
      return [{ name, isType: areTypes || each.startsWith("type ") }, as ?? name] as const;
    });
}

interface Exported extends Name {
  /** The package. */
  readonly of: string;
}

/** The names that each subpath of a package exports. */
function exportsOf(of: string): Exported[] {
  const folder = folderOf(of);
  const entries = Object.entries(readManifest(join(ROOT, folder)).exports);
  return entries.flatMap(([subpath, target]) => {
    if (typeof target === "string") return [];
    const source = read(join(folder, (target as { readonly "@x/source": string })["@x/source"]));
    const names = [
      ...[...source.matchAll(NAMED)]
        .filter(([line]) => line.startsWith("export"))
        .flatMap(([, type, list]) => namesIn(list!, type !== undefined))
        .map(([{ isType }, as]) => ({ name: as, isType })),
      ...[...source.matchAll(DECLARED)].map(([, kind, name]) => {
        return { name: name!, isType: kind === "interface" || kind === "type" };
      }),
    ];
    expect(names, `${of} ${subpath}`).not.toEqual([]);
    return names.map((each) => ({ ...each, of }));
  });
}

/** The names that files import from packages of ours other than their own, each after the package and `#`. */
function importedNames(files: readonly string[]): Set<string> {
  const imported = new Set<string>();
  for (const file of files) {
    const own = /^packages\/([^/]+)\//.exec(file)?.[1];
    for (const [, , list, source] of read(file).matchAll(NAMED)) {
      const name = /^@x\/([^/]+)/.exec(source!)?.[1];
      if (name === undefined || name === own) continue;
      for (const [from] of namesIn(list!, false)) imported.add(`${name}#${from.name}`);
    }
  }
  return imported;
}

/** How often each word stands in the declarations of a package. */
function wordsOf(name: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of sourceFiles(name)) {
    const declarations = read(join(folderOf(name), file))
      .replace(NAMED, "")
      .replace(COMMENT, "");
    for (const word of declarations.match(/\w+/g) ?? []) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return counts;
}

test("each exported name has a user, or stands in a document", () => {
  const files = trackedFiles();
  const isCode = (file: string) =>
    /\.[cm]?[jt]sx?$/.test(file) && !/^packages\/[^/]+\/test\//.test(file);
  const imported = importedNames(files.filter(isCode));
  const documents = files.filter((file) => /^(?:docs\/.*|packages\/[^/]+\/README)\.md$/.test(file));
  const words = new Set(documents.flatMap((file) => read(file).match(/\w+/g) ?? []));
  const exported = PUBLISHED.flatMap(exportsOf);
  const own = new Map(PUBLISHED.map((name) => [name, wordsOf(name)]));
  const unused = exported.filter(({ of, name, isType }) => {
    if (imported.has(`${of}#${name}`) || words.has(name)) return false;
    return !isType || (own.get(of)!.get(name) ?? 0) < 2;
  });
  expect(unused).toEqual([]);
  // Upper limits, so that a new name is a decision.
  const types = exported.filter(({ isType }) => isType);
  expect(types.length).toBeLessThanOrEqual(270);
  expect(exported.length - types.length).toBeLessThanOrEqual(314);
});
