// Compiles the kernel and writes it into a source module, so that nothing is fetched at run time. `pnpm install`
// runs this script (`prepare`), and so does every turbo task that reads the sources (`kernel`).
//
// The modules with the rules are the TypeScript that JavaScript runs, too. AssemblyScript compiles them unchanged, with two
// exceptions: type-only imports, which it does not know, are removed, and types have the meanings that types.ts gives them.
import { readFileSync, writeFileSync } from "node:fs";
import asc from "assemblyscript/asc";

const root = new URL("../../", import.meta.url);
const output = new URL("../src/batch/kernel.generated.ts", import.meta.url);
const MEANINGS =
  "Bytes as Uint8Array, Words as Uint32Array, Integer as number, IntegerMath as Math, CanonicalSpans";

/** The source of a module, given its path from the folder of all packages. */
function readSource(path) {
  if (path === "lookup/src/batch/texts.ts") return 'export * from "../../kernel/texts";';
  const source = readFileSync(new URL(path, root), "utf8");
  if (path.startsWith("lookup/kernel/")) return source.replaceAll("import type ", "import ");
  const up = "../".repeat(path.split("/").length - 1);
  const withoutTypeImports = source.replace(/^import type [^;]*;$/gm, "");
  return `import { ${MEANINGS} } from "${up}lookup/kernel/types"; ${withoutTypeImports}`;
}

let wasm;
const { error, stderr } = await asc.main(
  [
    "lookup/kernel/kernel.ts",
    "--outFile=kernel.wasm",
    "--runtime=stub",
    "--enable=simd",
    "--optimizeLevel=3",
    "--noAssert",
    "--importMemory",
    "--initialMemory=1",
  ],
  {
    readFile: (path) => (path === "asconfig.json" ? null : readSource(path)),
    writeFile: (_, contents) => {
      wasm = contents;
    },
  },
);
if (error) throw new Error(`the kernel does not compile:\n${stderr}`, { cause: error });

writeFileSync(
  output,
  `// Written by kernel/build.js from kernel/kernel.ts and what that imports.
/** The compiled kernel, in base64. */
export const KERNEL_BASE64: string =
  "${Buffer.from(wasm).toString("base64")}";
`,
);
