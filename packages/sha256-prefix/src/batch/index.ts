export {
  createHashBatch,
  type HashBatch,
  type HashBatchOptions,
} from "./hash-batch.ts";
export type { HashEngine, HashMemory } from "./hash-engine.ts";
