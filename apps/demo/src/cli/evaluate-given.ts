import type { Io } from "./context.ts";
import { type Block, type Evaluate, type EvaluateOptions, evaluateAll } from "./evaluate.ts";
import { type ReadingOptions, readGiven } from "./given.ts";

/** Finds out about the URLs of a command line, a batch at a time. */
export async function* evaluateGiven(
  urls: readonly string[],
  given: ReadingOptions,
  evaluate: Evaluate,
  options: EvaluateOptions,
  io: Io,
): AsyncGenerator<Block> {
  let octets = 0;
  const batches = readGiven(urls, given, io, (read) => {
    octets += read;
  });
  for await (const batch of batches) {
    yield { ...evaluateAll(batch, evaluate, options), octets };
    octets = 0;
  }
}
