// Writes dist/urlhash.js: `pnpm --filter @x/lookup bundle`. The file is a script for engines without modules and
// without the interfaces of browsers and Node, such as the functions of data warehouses. It sets the global `urlhash`.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "vite";

const FOLDER = import.meta.dirname;

/** The text of the script. */
export async function bundle() {
  const { output } = await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    resolve: { conditions: ["@x/source"] },
    build: {
      write: false,
      minify: true,
      target: "es2020",
      rolldownOptions: {
        input: join(FOLDER, "entry.ts"),
        preserveEntrySignatures: "strict",
        output: { format: "iife", name: "built" },
        transform: {
          inject: { TextEncoder: [join(FOLDER, "platform.ts"), "TextEncoder"] },
        },
      },
    },
  });
  const [{ code }] = output;
  // Snowflake evaluates the text of a function for each row, so all of this runs only once.
  return `if(typeof urlhash==="undefined"){urlhash=(()=>{${code.trim()}return built})()}\n`;
}

if (import.meta.filename === process.argv[1]) {
  const to = join(FOLDER, "../dist/urlhash.js");
  const script = await bundle();
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, script);
  console.log(`dist/urlhash.js: ${script.length} bytes`);
}
