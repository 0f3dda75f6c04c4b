import type { Client, ClientVerdict } from "@x/client";
import { rowWithout, VERDICT_COLUMNS } from "../bulk/verdict-writer.ts";
import type { Context } from "../context.ts";
import { readParts, refusalBefore, writeInput } from "../evaluate-input.ts";
import {
  fileToRead,
  type InputOptions,
  type InputRequest,
  inputsIn,
} from "../input/arguments-or-lines.ts";
import { refangPart } from "../input/refang-input.ts";
import { type Format, type FormatOptions, formatOf } from "../output/format.ts";
import { asText, type Block, blockWriter, type Input } from "../output/results.ts";
import { type RowFormat, type RowOptions, rowFormatOf } from "../output/rows.ts";
import { writeBlocks } from "../output/write-blocks.ts";
import { clientFinding } from "./client-verdicts.ts";
import { listProblems } from "./list-problems.ts";
import { clientErrorText, isClientError, openClient } from "./open-client.ts";
import type { ServerOptions } from "./server-options.ts";
import { failedBefore } from "./update-report.ts";

export interface CheckWithServerOptions
  extends FormatOptions,
    InputOptions,
    RowOptions,
    ServerOptions {
  readonly onlyListed?: boolean;
  readonly refang?: boolean;
  readonly offline?: boolean;
}

type Writing = Pick<CheckWithServerOptions, "onlyListed" | "refang" | "offline"> & {
  readonly format: Format;
  readonly rows: RowFormat;
};

/**
 * Updates the lists if an update is due, and reports what went wrong. If the update fails, URLs are checked against the
 * stored lists.
 */
async function updateFirst(
  client: Client,
  options: ServerOptions,
  { stderr }: Context,
): Promise<void> {
  const warn = (text: string) => stderr.write(`urlhash: warning: ${text}\n`);
  const { isDue, failures, nextUpdate } = client.status();
  if (!isDue) {
    if (failures > 0) await warn(failedBefore(nextUpdate));
    return;
  }
  try {
    const { lists, storageError } = await client.update();
    for (const error of [...lists.map((list) => list.error), storageError]) {
      // The lists that the server does not have are named later, even if no update is due.
      if (error === null || error.code === "list-unknown") continue;
      await warn(clientErrorText(error, options));
    }
  } catch (error) {
    if (!isClientError(error)) throw error;
    await warn(`the lists could not be brought up to date: ${clientErrorText(error, options)}`);
  }
}

/** The verdicts on inputs, in the order of the inputs. One request to the server may be about several URLs. */
async function verdictsOn(
  inputs: readonly Input[],
  client: Client,
  offline: boolean,
): Promise<ClientVerdict[]> {
  if (offline) return inputs.map(({ text }) => client.checkLocally(text));
  const verdicts: ClientVerdict[] = [];
  for await (const verdict of client.checkMany(inputs.map(({ text }) => text))) {
    verdicts.push(verdict);
  }
  return verdicts;
}

/** Checks the parts of the input as they arrive, and turns each into a block. */
async function* blocksOf(
  request: InputRequest,
  client: Client,
  { format, rows, onlyListed = false, refang = false, offline = false }: Writing,
  { io, colours }: Context,
): AsyncGenerator<Block> {
  for await (const { part: given, bytes } of readParts(request, io)) {
    const part = refang ? refangPart(given) : given;
    const writer = blockWriter(part, { format, onlyListed, rowWithout, rows });
    const inputs = [...inputsIn(part)];
    const whole = inputs.filter((input) => refusalBefore(input) === null);
    const verdicts = (await verdictsOn(whole, client, offline)).values();
    const evaluate = (text: string | Uint8Array) =>
      clientFinding(asText(text), verdicts.next().value!, colours);
    for (const input of inputs) writeInput(input, { evaluate, refang }, "URL", writer);
    yield writer.finish(inputs.length, bytes);
  }
}

/**
 * Checks URLs against the lists of a server.
 *
 * @throws {Failure} when an option is wrong, or something cannot be read or written.
 */
export async function checkWithServer(
  urls: readonly string[],
  options: CheckWithServerOptions,
  context: Context,
): Promise<void> {
  const { offline = false } = options;
  const format = formatOf(options);
  const rows = rowFormatOf(options, VERDICT_COLUMNS, format);
  const { client } = await openClient(options, context);
  try {
    if (!offline) {
      await updateFirst(client, options, context);
      client.start();
    }
    const refusesForeign = format !== "tsv";
    const request = { ...options, args: urls, noun: "URL", refusesForeign } as const;
    for (const text of listProblems(client.status(), options)) {
      await context.stderr.write(`urlhash: warning: ${text}\n`);
    }
    const blocks = blocksOf(request, client, { ...options, format, rows }, context);
    await writeBlocks(blocks, { format, file: fileToRead(urls, options) }, context);
  } finally {
    await client.stop();
  }
}
