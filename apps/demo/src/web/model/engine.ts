import type { HashEngine } from "@x/sha256-prefix/batch";

/** The engines that the user can choose; `"javascript"` does not use WebAssembly. */
export type EngineChoice = "auto" | "javascript";

/** The names of the hash engines, for people. */
export const ENGINE_NAMES: Readonly<Record<HashEngine, string>> = {
  javascript: "JavaScript",
  webassembly: "WebAssembly",
};
