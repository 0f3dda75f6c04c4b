export { maxEntriesOf } from "./limits.ts";
export { littleEndianWords, riceParameterFor } from "./rice/delta-codes.ts";
export { type RiceDeltas, type RiceOptions, riceDecode, riceEncode } from "./rice/rice-deltas.ts";
