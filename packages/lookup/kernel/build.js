// Compiles the kernel and writes it into a source module. `pnpm install` runs this script (`prepare`), and so does
// every turbo task that reads the sources (`kernel`).
//
// The modules with the rules are the same TypeScript that runs as JavaScript. AssemblyScript compiles them with two
// changes: type-only imports, which it does not support, are removed, and types have the meanings that types.ts gives
// them.
import { readFileSync } from "node:fs";
import { compileKernel } from "../../sha256-prefix/kernel/compile-kernel.js";

const root = new URL("../../", import.meta.url);
const output = new URL("../src/batch/kernel.generated.ts", import.meta.url);
const MEANINGS =
  "Bytes as Uint8Array, Words as Uint32Array, Integer as number, IntegerMath as Math, CanonicalSpans";

/** The source of a module, given its path relative to the folder of all packages. */
function readSource(path) {
  if (path === "lookup/src/batch/texts.ts") return 'export * from "../../kernel/texts";';
  const source = readFileSync(new URL(path, root), "utf8");
  if (path.startsWith("lookup/kernel/")) return source.replaceAll("import type ", "import ");
  const up = "../".repeat(path.split("/").length - 1);
  const withoutTypeImports = source.replace(/^import type [^;]*;$/gm, "");
  return `import { ${MEANINGS} } from "${up}lookup/kernel/types"; ${withoutTypeImports}`;
}

await compileKernel(
  "lookup/kernel/kernel.ts",
  (path) => (path === "asconfig.json" ? null : readSource(path)),
  output,
);
