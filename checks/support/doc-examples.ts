import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { transformWithOxc } from "vite";
import { expect, test } from "vitest";

/** A block of TypeScript found in a README or in a TSDoc `@example`. */
interface Example {
  readonly where: string;
  readonly code: string;
}

type ImportModule = (name: string) => Promise<Record<string, unknown>>;

/** The fenced `ts` blocks of a text, with the line at which each starts. */
export function fencedBlocks(file: string, text: string): Example[] {
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((block) => ({
    where: `${file}:${text.slice(0, block.index).split("\n").length}`,
    code: block[1]!,
  }));
}

/** The fenced `ts` blocks inside the doc comments of a source file. */
function tsdocBlocks(file: string, source: string): Example[] {
  const bare = source.replace(/^ *\* ?/gm, "");
  return fencedBlocks(file, bare);
}

/**
 * Rewrites a block into the body of an async function. Its imports become dynamic imports, and a line
 * `expression; // → value` becomes a check that the expression has that value. On a line that declares a
 * constant, the constant is checked. `// throws code` checks the `code` of the error that is thrown.
 */
async function toFunctionBody(code: string): Promise<{ body: string; modules: string[] }> {
  const checked = code
    .replace(
      /^(const (\w+)[^=\n]*= .*?);? *\/\/ → (.*)$/gm,
      (_, declaration, name, value) => `${declaration}; __expect(${name}).toEqual(${value});`,
    )
    .replace(
      /^(?!const )(.*?);? *\/\/ → (.*)$/gm,
      (_, expression, value) => `__expect(${expression}).toEqual(${value});`,
    )
    .replace(
      /^(.*?);? *\/\/ throws ([a-z0-9-]+).*$/gm,
      (_, statement, errorCode) => `__throws(() => { ${statement}; }, "${errorCode}");`,
    );
  const { code: script } = await transformWithOxc(checked, "example.ts", {
    typescript: { onlyRemoveTypeImports: true },
  });
  const modules: string[] = [];
  const body = script.replace(
    /^import \{([^}]*)\} from "([^"]+)";?$/gm,
    (_, names: string, module: string) => {
      modules.push(module);
      return `const {${names.replace(/\bas\b/g, ":")}} = __modules.get("${module}");`;
    },
  );
  return { body, modules };
}

function throws(run: () => void, code: string): void {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  expect(thrown, `expected an error with code "${code}"`).toHaveProperty("code", code);
}

/**
 * Declares one test for each TypeScript example in the package's README and in the doc comments of its
 * sources. Pass `(name) => import(name)` from the test file as `importModule`, so that the test runner
 * resolves names as that package does.
 */
export function testDocExamples(packageFolder: string, importModule: ImportModule): void {
  const read = (file: string) => readText(join(packageFolder, file));
  const sources = readdirSync(join(packageFolder, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join("src", file));
  testExamples(
    [
      ...fencedBlocks("README.md", read("README.md")),
      ...sources.flatMap((file) => tsdocBlocks(file, read(file))),
    ],
    importModule,
  );
}

/** Declares one test for each TypeScript example in a Markdown file. */
export function testMarkdownExamples(file: string, importModule: ImportModule): void {
  testExamples(fencedBlocks(basename(file), readText(file)), importModule);
}

function readText(file: string): string {
  return readFileSync(file, "utf8").replaceAll("\r\n", "\n");
}

function testExamples(examples: readonly Example[], importModule: ImportModule): void {
  test("there are examples to run", () => {
    expect(examples.length).toBeGreaterThan(0);
  });
  test.each(examples)("$where", async ({ code }) => {
    const { body, modules } = await toFunctionBody(code);
    const loaded = new Map<string, Record<string, unknown>>();
    for (const name of modules) loaded.set(name, await importModule(name));
    const run = new Function(
      "__modules",
      "__expect",
      "__throws",
      `return (async () => {${body}\n})();`,
    );
    await run(loaded, expect, throws);
  });
}
