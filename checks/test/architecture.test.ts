import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { LAYERS } from "./package-layers.ts";
import { ROOT, trackedFiles } from "./repository.ts";

/** Compares ARCHITECTURE.md with the folders on disk. */

const architecture = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");

/** The paths in the tree of ARCHITECTURE.md: two spaces of indentation per level, then a name, then a description. */
function drawnFolders(): string[] {
  const tree = /^## The tree$[\s\S]*?^```text\n([\s\S]*?)^```$/m.exec(architecture)?.[1];
  expect(tree, "a tree").toBeDefined();
  const above: string[] = [];
  return tree!.split("\n").flatMap((line) => {
    const found = /^( *)(\S+)\//.exec(line);
    if (found === null) return [];
    const level = found[1]!.length / 2;
    above.length = level;
    above.push(found[2]!);
    return [above.join("/")];
  });
}

/** The folders that the tree must show: the top level, packages, apps, and the folders of their sources. */
function foldersOnDisk(): string[] {
  const folders = new Set<string>();
  for (const file of trackedFiles()) {
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) folders.add(folder);
  }
  const isDrawn =
    /^(?:[^./][^/]*|(?:packages|apps|checks)\/[^/]+|(?:packages|apps)\/[^/]+\/src\/[^/]+|(?:packages|apps)\/[^/]+\/(?:kernel|tables)|docs\/site)$/;
  return [...folders].filter((folder) => isDrawn.test(folder) && folder !== "checks/test");
}

test("the tree shows the folders on disk, and no others", () => {
  const drawn = drawnFolders().filter((folder) => !/(?:\/src|checks\/test)$/.test(folder));
  expect(drawn.toSorted()).toEqual(foldersOnDisk().toSorted());
});

test("the table of layers matches the table that imports are checked against", () => {
  const rows = [...architecture.matchAll(/^\| *\d *\| *`@x\/([a-z0-9-]+)` *\| *([^|]*?) *\|/gm)];
  const drawn = Object.fromEntries(
    rows.map(([, name, below]) => [name!, below === "–" ? [] : below!.split(", ").toSorted()]),
  );
  const expected = Object.entries(LAYERS).map(([name, below]) => [name, below.toSorted()]);
  expect(drawn).toEqual(Object.fromEntries(expected));
});
