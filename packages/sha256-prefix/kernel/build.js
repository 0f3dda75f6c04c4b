// Compiles the kernel and writes it into a source module, so that nothing is fetched at run time. `pnpm install`
// runs this script (`prepare`), and so does every turbo task that reads the sources (`kernel`).
import { readFileSync, writeFileSync } from "node:fs";
import asc from "assemblyscript/asc";

const output = new URL("../src/batch/kernel.generated.ts", import.meta.url);
let wasm;
const { error, stderr } = await asc.main(
  [
    "sha256x4.ts",
    "--outFile=kernel.wasm",
    "--runtime=stub",
    "--enable=simd",
    "--optimizeLevel=3",
    "--noAssert",
    "--importMemory",
    "--initialMemory=1",
  ],
  {
    readFile: (name) => {
      if (name !== "sha256x4.ts") return null;
      return readFileSync(new URL(name, import.meta.url), "utf8");
    },
    writeFile: (_, contents) => {
      wasm = contents;
    },
  },
);
if (error) throw new Error(`the kernel does not compile:\n${stderr}`, { cause: error });

writeFileSync(
  output,
  `// Written by kernel/build.js from kernel/sha256x4.ts.
/** The compiled kernel, in base64. */
export const KERNEL_BASE64: string =
  "${Buffer.from(wasm).toString("base64")}";
`,
);
