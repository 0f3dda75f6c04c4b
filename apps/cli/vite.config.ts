import { defineConfig, type UserConfig } from "vite";
import { licenses } from "../../checks/set-up/licenses.js";

/**
 * Bundles the command into a few files. Node takes longer to find and open the two hundred modules than to run them.
 */
const config: UserConfig = defineConfig({
  publicDir: false,
  plugins: [licenses("licenses.md").write],
  // Commander and picocolors are bundled, because Node takes as long to find and open these packages as the command
  // itself. The Public Suffix List, the signer of requests to S3 and the support for proxies are loaded from their
  // packages. DuckDB is installed separately.
  ssr: {
    // The packages that encrypt requests through a relay are dependencies of another package, so they cannot be
    // resolved from here.
    noExternal: [/^@x\//, "hpke", "@noble/ciphers", "commander", "picocolors"],
    external: [
      "@duckdb/node-api",
      "@x/links/node",
      "@x/links/proxy",
      "@x/list-source/public-suffixes",
      "@x/list-store/s3",
      "http-proxy-agent",
      "https-proxy-agent",
      "undici",
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
        worker: "src/check/worker.ts",
        "load-list-worker": "src/input/load-list-worker.ts",
      },
      // All files are in one folder, because workers are loaded from the folder of the module that starts them.
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        // One file has the modules that many commands share, and each command has a few files of its own.
        codeSplitting: { groups: [{ name: "shared", minShareCount: 10 }] },
      },
    },
  },
});

export default config;
