// Writes two source modules: the compiled kernel, so that nothing is fetched at run time, and the rounds of SHA-256
// written out in TypeScript. With each constant in its place and every word in a variable, they take less than half the
// time of loops over arrays. `pnpm install` runs this script (`prepare`), and so does every turbo task that reads
// the sources (`kernel`).
import { readFileSync, writeFileSync } from "node:fs";
import asc from "assemblyscript/asc";
import { compressSource } from "./compress.js";

const source = new URL("../src/", import.meta.url);

const constants = readFileSync(new URL("constants.ts", source), "utf8");
const words = /ROUND_CONSTANTS[^(]*\(([^)]*)\)/.exec(constants)?.[1].match(/0x\w+/g);
if (words?.length !== 64)
  throw new Error("constants.ts must have 64 ROUND_CONSTANTS in hexadecimal");
writeFileSync(new URL("compress.generated.ts", source), compressSource(words));

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
  new URL("batch/kernel.generated.ts", source),
  `// Written by kernel/build.js from kernel/sha256x4.ts.
/** The compiled kernel, in base64. */
export const KERNEL_BASE64: string =
  "${Buffer.from(wasm).toString("base64")}";
`,
);
