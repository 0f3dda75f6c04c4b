import { writeFileSync } from "node:fs";
import asc from "assemblyscript/asc";

/**
 * Compiles a kernel in AssemblyScript and embeds it in a source module, so that nothing is fetched at run time.
 *
 * @param {string} entry the path of its first module.
 * @param {(path: string) => string | null} readFile gives the source at a path, or `null` if there is none.
 * @param {URL} output where the module is written.
 */
export async function compileKernel(entry, readFile, output) {
  let wasm;
  const { error, stderr } = await asc.main(
    [
      entry,
      "--outFile=kernel.wasm",
      "--runtime=stub",
      "--enable=simd",
      "--optimizeLevel=3",
      "--noAssert",
      "--importMemory",
      "--initialMemory=1",
    ],
    {
      readFile,
      writeFile: (_, contents) => {
        wasm = contents;
      },
    },
  );
  if (error) throw new Error(`${entry} does not compile:\n${stderr}`, { cause: error });
  writeFileSync(
    output,
    `// Written by kernel/build.js from ${entry} and what that imports.
/** The compiled kernel, in base64. */
export const KERNEL_BASE64: string =
  "${Buffer.from(wasm).toString("base64")}";
`,
  );
}
