import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { UserConfig } from "vite";
import { describe, expect, test } from "vitest";
import { importsOf } from "./imports.ts";
import { folderOf, LAYERS, PRIVATE, PUBLISHED_APPS, withLayersBelow } from "./package-layers.ts";
import { ROOT, readManifest, sourceFiles } from "./repository.ts";

test("every package has its layer", () => {
  expect(readdirSync(join(ROOT, "packages")).sort()).toEqual(Object.keys(LAYERS).sort());
});

describe.each(Object.keys(LAYERS))("@x/%s", (name) => {
  const allowed = LAYERS[name]!.map((below) => `@x/${below}`);
  const manifest = readManifest(join(ROOT, "packages", name));
  const { dependencies = {}, peerDependencies = {}, imports = {} } = manifest;

  test("is published unless the apps have its code in their own files", () => {
    expect(manifest.private ?? false).toBe(PRIVATE.includes(name));
  });

  test("declares only packages below it", () => {
    const neighbours = Object.keys(dependencies).filter((other) => other.startsWith("@x/"));
    expect(allowed).toEqual(expect.arrayContaining(neighbours));
  });

  test.each(sourceFiles(name))("%s", (file) => {
    const source = readFileSync(join(ROOT, "packages", name, file), "utf8");
    for (const specifier of importsOf(source)) {
      if (specifier.startsWith(".")) {
        expect(specifier).toMatch(/\.ts$/);
      } else if (specifier.startsWith("#")) {
        expect(Object.keys(imports)).toContain(specifier);
      } else if (specifier.startsWith("node:")) {
        expect(file, "only a subpath named for Node.js needs it").toMatch(/^src\/node\//);
      } else {
        const [scope, part] = specifier.split("/");
        expect(Object.keys({ ...dependencies, ...peerDependencies })).toContain(
          scope!.startsWith("@") ? `${scope}/${part}` : scope,
        );
      }
    }
    const named = [...source.matchAll(/@x\/([a-z0-9-]+)/g)].map((found) => found[1]!);
    // `@x/source` and `@x/javascript` are export conditions, not packages.
    const known = [name, ...LAYERS[name]!, "source", "javascript"];
    expect(known, "a package names only itself and packages below it").toEqual(
      expect.arrayContaining(named),
    );
  });

  test("each entry point is one source: bundled for Node, and as tsc builds it for all others", () => {
    const { exports } = readManifest(join(ROOT, "packages", name));
    const { "./package.json": manifest, ...entries } = exports;
    expect(manifest).toBe("./package.json");
    for (const entry of Object.values(entries)) {
      const [, file] = /^\.\/src\/(.+)\.ts$/.exec((entry as Record<string, string>)["@x/source"]!)!;
      // The first condition that holds decides. Bundlers for Node also set `module`.
      expect(JSON.stringify(entry)).toBe(
        JSON.stringify({
          "@x/source": `./src/${file}.ts`,
          types: `./dist/${file}.d.ts`,
          module: `./dist/${file}.js`,
          node: `./dist/bundled/${file}.js`,
          default: `./dist/${file}.js`,
        }),
      );
    }
  });

  test("src/index.ts holds re-exports and nothing else", () => {
    const index = readFileSync(join(ROOT, "packages", name, "src/index.ts"), "utf8");
    const rest = index
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")
      .replace(/^export (?:type )?(?:\{[^}]*\}|\*) from "[^"]+";$/gm, "");
    expect(rest.trim()).toBe("");
  });
});

/** The packages whose code is in the files of an app, so that it need not depend on them. */
async function bundledIn(folder: string): Promise<string[]> {
  const file = join(folder, "vite.config.ts");
  if (!existsSync(file)) return [];
  const { default: config } = (await import(file)) as { default: UserConfig };
  const { devDependencies = {} } = readManifest(folder);
  const bundled = [config.ssr?.noExternal ?? []].flat() as (string | RegExp)[];
  const isBundled = (name: string) =>
    bundled.some((each) => (typeof each === "string" ? each === name : each.test(name)));
  return Object.keys(devDependencies).filter(
    (name) => name !== "@x/test-support" && isBundled(name),
  );
}

describe.each(Object.entries(PUBLISHED_APPS))("@x/%s", async (name, below) => {
  const folder = join(ROOT, folderOf(name));
  const { dependencies = {}, peerDependencies = {} } = readManifest(folder);
  const bundled = await bundledIn(folder);

  test("depends on exactly the packages listed for it", () => {
    const neighbours = Object.keys(dependencies).filter((other) => other.startsWith("@x/"));
    expect(neighbours.sort()).toEqual(below.map((other) => `@x/${other}`).sort());
  });

  test.each(sourceFiles(name))("%s", (file) => {
    const source = readFileSync(join(ROOT, folderOf(name), file), "utf8");
    const outside = importsOf(source).filter((specifier) => !/^(?:\.|node:)/.test(specifier));
    const known = [...Object.keys({ ...dependencies, ...peerDependencies }), ...bundled].map(
      (other) => new RegExp(`^${other}(?:/|$)`),
    );
    for (const specifier of outside) {
      expect(
        known.some((other) => other.test(specifier)),
        specifier,
      ).toBe(true);
    }
    const named = [...source.matchAll(/@x\/([a-z0-9-]+)/g)].map((found) => found[1]!);
    const inFiles = bundled.map((other) => other.slice("@x/".length));
    expect([name, ...withLayersBelow(name), ...inFiles]).toEqual(expect.arrayContaining(named));
  });
});
