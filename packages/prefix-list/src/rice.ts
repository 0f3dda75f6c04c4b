export { maxEntriesOf } from "./limits.ts";
export {
  littleEndianWords,
  type RiceDeltas,
  type RiceOptions,
  riceDecode,
  riceEncode,
  riceParameterFor,
} from "./rice-codes.ts";
