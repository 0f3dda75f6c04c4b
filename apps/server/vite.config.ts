import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type UserConfig } from "vite";

const modules = readdirSync(join(import.meta.dirname, "src"), { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".ts"));

/** Packages that are not published, so their modules are among those of the command. */
const PRIVATE = ["@x/command-line", "@x/explain"];

/** Builds each module as a file of its own, because modules find the files of the package by their own paths. */
const config: UserConfig = defineConfig({
  publicDir: false,
  ssr: { noExternal: PRIVATE },
  build: {
    ssr: true,
    target: "node20",
    minify: false,
    emptyOutDir: false,
    rolldownOptions: {
      input: Object.fromEntries(modules.map((file) => [file.replace(/\.ts$/, ""), `src/${file}`])),
      // A Windows path such as `C:\…` is not the name of a package.
      external: (name) =>
        /^[@a-z](?!:)/i.test(name) && !PRIVATE.some((each) => name.startsWith(each)),
      output: { preserveModules: true, preserveModulesRoot: "src", entryFileNames: "[name].js" },
    },
  },
});

export default config;
