import { defineConfig, type UserConfig } from "vite";
import { licenses } from "../../checks/set-up/licenses.js";

/**
 * Bundles the command into a few files. Node takes longer to find and open the two hundred modules of the packages than to run
 * them.
 */
const config: UserConfig = defineConfig({
  publicDir: false,
  plugins: [licenses("licenses.md").write],
  // Commander and picocolors are in the bundle, because Node takes as long to find and open them as the command itself.
  // The Public Suffix List, the signer of requests to S3, and what knows proxies come with their packages. DuckDB is
  // installed separately.
  ssr: {
    // The cryptography of requests through a relay is that of a package below, which this one cannot resolve.
    noExternal: [/^@x\//, "hpke", "@noble/ciphers", "commander", "picocolors"],
    external: [
      "@duckdb/node-api",
      "@duckdb/node-bindings",
      "@x/command-line/proxy",
      "@x/links/node",
      "@x/links/proxy",
      "@x/list-source/public-suffixes",
      "@x/list-store/s3",
    ],
  },
  build: {
    ssr: true,
    target: "node20",
    minify: false,
    emptyOutDir: false,
    rolldownOptions: {
      input: {
        index: "src/index.ts",
        main: "src/main.ts",
        worker: "src/bulk/worker.ts",
        "load-list-worker": "src/input/load-list-worker.ts",
      },
      // All in one folder: the workers are found beside the modules that start them.
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        // One file for what many commands need, and a few for each command.
        codeSplitting: { groups: [{ name: "shared", minShareCount: 7 }] },
      },
    },
  },
});

export default config;
