import type { HashEngine } from "@x/sha256-prefix/batch";

/** The hash engines, for people. */
export const ENGINE_NAMES: Readonly<Record<HashEngine, string>> = {
  javascript: "JavaScript",
  webassembly: "WebAssembly",
};
