// Writes two source modules: the compiled kernel, and the rounds of SHA-256 written out in TypeScript. With each
// constant written as a literal and every word in a variable, the rounds take less than half the time of loops over
// arrays. `pnpm install` runs this script (`prepare`), and so does every turbo task that reads the sources (`kernel`).
import { readFileSync, writeFileSync } from "node:fs";
import { compileKernel } from "./compile-kernel.js";
import { compressSource } from "./compress.js";

const source = new URL("../src/", import.meta.url);

const constants = readFileSync(new URL("constants.ts", source), "utf8");
const words = /ROUND_CONSTANTS[^(]*\(([^)]*)\)/.exec(constants)?.[1].match(/0x\w+/g);
if (words?.length !== 64)
  throw new Error("constants.ts must have 64 ROUND_CONSTANTS in hexadecimal");
writeFileSync(new URL("compress.generated.ts", source), compressSource(words));

await compileKernel(
  "sha256x4.ts",
  (path) => (path === "sha256x4.ts" ? readFileSync(new URL(path, import.meta.url), "utf8") : null),
  new URL("batch/kernel.generated.ts", source),
);
