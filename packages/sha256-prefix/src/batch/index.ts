export {
  createHashBatch,
  type HashBatch,
  type HashBatchOptions,
} from "./hash-batch.ts";
export type { HashEngine } from "./hash-engine.ts";
