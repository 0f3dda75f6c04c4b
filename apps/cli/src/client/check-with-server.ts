import type { Client, ClientVerdict } from "@x/client";
import { unwrapInput } from "../bulk/unwrapping.ts";
import type { Colours, Context } from "../context.ts";
import {
  type InputOptions,
  type InputSpan,
  inputAt,
  spansIn,
} from "../input/arguments-or-lines.ts";
import { type FormatOptions, formatOf } from "../output/format.ts";
import { type RowOptions, rowFormatOf } from "../output/rows.ts";
import { rowWithoutVerdict, VERDICT_COLUMNS } from "../output/verdict-rows.ts";
import { evaluateInput } from "../pipeline/evaluate-input.ts";
import { evaluatePartWith } from "../pipeline/evaluate-part.ts";
import { type Evaluator, refusalBefore, withInput } from "../pipeline/evaluator.ts";
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
  readonly unwrap: boolean;
}

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

/** The client's verdict on an input. */
interface ClientVerdictAt extends InputSpan {
  /** `null` for an input that is refused before. */
  readonly verdict: ClientVerdict | null;
}

/** Checks URLs with a client. One request to the server may be about several URLs of a part. */
function clientEvaluator(
  client: Client,
  { offline = false, unwrap: isUnwrapping }: Pick<CheckWithServerOptions, "offline" | "unwrap">,
  colours: Colours,
): Evaluator<ClientVerdictAt> {
  const unwrap = isUnwrapping ? unwrapInput : undefined;
  async function* verdictsOn(urls: readonly (string | Uint8Array)[]) {
    if (offline) for (const url of urls) yield client.checkLocally(url, { unwrap });
    else yield* client.checkMany(urls, { unwrap });
  }
  return {
    async evaluate(part) {
      const spans = [...spansIn(part)];
      const inputs = spans.map((span) => inputAt(part, span));
      const isChecked = inputs.map((input) => refusalBefore(input) === null);
      const found: ClientVerdict[] = [];
      const urls = inputs.filter((_, i) => isChecked[i]).map(({ text }) => text);
      for await (const verdict of verdictsOn(urls)) found.push(verdict);
      let next = 0;
      const verdicts = spans.map((span, i) => {
        return { ...span, verdict: isChecked[i] ? found[next++]! : null };
      });
      return { verdicts, count: spans.length };
    },
    resultOf: (url, { verdict }) => withInput(clientFinding(url, verdict!, colours), url, "URL"),
  };
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
    for (const text of listProblems(client.status(), options)) {
      await context.stderr.write(`urlhash: warning: ${text}\n`);
    }
    const evaluatePart = evaluatePartWith(clientEvaluator(client, options, context.colours), {
      noun: "URL",
      format,
      rows,
      onlyListed: options.onlyListed,
      rowWithout: rowWithoutVerdict,
      refang: options.refang ?? false,
    });
    await evaluateInput({ ...options, args: urls, noun: "URL" }, evaluatePart, { format }, context);
  } finally {
    await client.stop();
  }
}
