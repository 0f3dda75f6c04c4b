import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT, trackedFiles } from "./repository.ts";

const sources = trackedFiles().filter((file) =>
  /^(?:packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(file),
);

/** The names that a source imports from other packages. */
function importedNames(source: string): string[] {
  const imports = source.matchAll(
    /^import (?:type )?([\w$]+)?(?:, )?(?:\{([^}]*)\})?(?:\* as ([\w$]+))? from "(?!\.|node:)[^"]+"/gm,
  );
  return [...imports].flatMap(([, whole, parts = "", all]) => [
    ...[whole, all].filter((name) => name !== undefined),
    ...parts.split(",").flatMap((part) => /[\w$]+(?=\s*$)/.exec(part)?.[0] ?? []),
  ]);
}

// A program may have two copies of a package, and `instanceof` is false for an object of the other copy.
test("no source asks whether an object is of a class of another package", () => {
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((file) => {
    const source = readFileSync(`${ROOT}${file}`, "utf8");
    const asked = [...source.matchAll(/\binstanceof\s+([\w$]+)/g)].map(([, name]) => name!);
    const imported = asked.length === 0 ? [] : importedNames(source);
    return asked.filter((name) => imported.includes(name)).map((name) => `${file}: ${name}`);
  });
  expect(found).toEqual([]);
});
