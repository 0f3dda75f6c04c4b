import type { Context, Io } from "../context.ts";
import { fileToRead, type InputRequest, readInput } from "../input/arguments-or-lines.ts";
import type { Block, InputPart } from "../output/results.ts";
import { type OutputOptions, writeBlocks } from "../output/write-blocks.ts";
import type { EvaluatePart } from "./evaluate-part.ts";

/** Yields the parts of the input as they arrive, each with the number of bytes that were read for that part. */
async function* readParts(
  request: InputRequest,
  io: Io,
): AsyncGenerator<{ part: InputPart; bytes: number }> {
  let bytes = 0;
  const onRead = (read: number): void => {
    bytes += read;
  };
  for await (const part of readInput({ ...request, onRead }, io)) {
    yield { part, bytes };
    bytes = 0;
  }
}

/**
 * Evaluates the parts of the input as they arrive, up to `mostOpen` at the same time. Returns the results in order. If
 * the input cannot be read to its end, the error is thrown after the results for the earlier parts.
 */
async function* evaluateParts(
  request: InputRequest,
  evaluatePart: EvaluatePart,
  mostOpen: number,
  io: Io,
): AsyncGenerator<Block> {
  const open: Promise<Block>[] = [];
  const parts = readParts(request, io);
  let failure: { readonly error: unknown } | null = null;
  try {
    for (;;) {
      const next = await parts.next().catch((error: unknown) => {
        failure = { error };
      });
      if (!next || next.done) break;
      open.push(evaluatePart(next.value.part, next.value.bytes));
      if (open.length >= mostOpen) yield await open.shift()!;
    }
    for (const block of open) yield await block;
  } finally {
    await parts.return(undefined);
  }
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
}

/**
 * Reads the input part by part, evaluates each part, and writes the results in the order of the inputs.
 *
 * @param mostOpen the maximum number of parts that are evaluated at the same time.
 * @throws {Failure} when something cannot be read or written.
 */
export async function evaluateInput(
  input: InputRequest,
  evaluatePart: EvaluatePart,
  writing: Omit<OutputOptions, "file"> & { readonly mostOpen?: number | undefined },
  context: Context,
): Promise<void> {
  // In TSV, each line of an input in another format gets its own row.
  const request = { ...input, refusesForeign: writing.format !== "tsv" };
  const blocks = evaluateParts(request, evaluatePart, writing.mostOpen ?? 1, context.io);
  await writeBlocks(blocks, { ...writing, file: fileToRead(input.args, input) }, context);
}
