export { completionScript, SHELLS } from "./definitions/completions.ts";
export { addDefinitionCommands } from "./definitions/definition-commands.ts";
export { manPage } from "./definitions/man-page.ts";
export { didYouMean } from "./did-you-mean.ts";
export { formatDuration, parseDuration } from "./duration.ts";
export { Failure } from "./failure.ts";
export { collect, durationValue, expecting, NOT_EMPTY, wholeNumber } from "./option-values.ts";
export { createProgram, isCommanderError } from "./program.ts";
