export { addDefinitionCommands } from "./definition-commands.ts";
export { Failure } from "./failure.ts";
export { historyJson, historyLines } from "./history.ts";
export {
  collect,
  collecting,
  durationValue,
  expecting,
  formatDuration,
  NOT_EMPTY,
  parseDuration,
  wholeNumber,
} from "./option-values.ts";
export { createProgram, didYouMean, GENERAL_OPTIONS, isCommanderError } from "./program.ts";
export { shellWord } from "./shell-word.ts";
