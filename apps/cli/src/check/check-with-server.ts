import { readFile } from "node:fs/promises";
import type { Client, ClientError, ClientOptions, ClientVerdict } from "@x/client";
import { Failure } from "@x/command-line";
import { failTo } from "@x/command-line/node";
import { printable } from "@x/explain/printable";
import type { FollowedLink } from "@x/links/follow";
import { inParallel } from "@x/list-store/transport";
import { hasName } from "@x/sha256-prefix/has-name";
import {
  clientErrorText,
  openClient,
  type RelayedOptions,
  type ServerOptions,
  serverListWarnings,
} from "../client/open-client.ts";
import { failedBefore } from "../client/update-lists.ts";
import type { Colours, Context } from "../context.ts";
import {
  type Evaluator,
  evaluateInput,
  evaluatePartWith,
  refusalBefore,
  withInput,
} from "../evaluate.ts";
import {
  type InputOptions,
  type InputSpan,
  inputAt,
  spansIn,
} from "../input/arguments-or-lines.ts";
import { type FormatOptions, formatOf } from "../output/format.ts";
import type { Input } from "../output/results.ts";
import { type FollowOptions, followInput, mostOpenOf } from "./chain.ts";
import { unwrapInput } from "./checked-line.ts";
import { clientFinding } from "./client-verdicts.ts";
import type { Follow, Follower } from "./follower.ts";

export interface CheckWithServerOptions
  extends FollowOptions,
    FormatOptions,
    InputOptions,
    RelayedOptions,
    ServerOptions {
  readonly onlyListed?: boolean;
  readonly refang?: boolean;
  readonly offline?: boolean;
  readonly unwrap: boolean;
}

/**
 * Updates the lists if an update is due and reports errors. If the update fails, URLs are checked against the stored
 * lists.
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
      // Lists that the server does not have are reported later, even if no update is due.
      if (error === null || error.code === "list-unknown") continue;
      await warn(clientErrorText(error, options));
    }
  } catch (error) {
    if (!hasName<ClientError>(error, "ClientError")) throw error;
    await warn(`the lists could not be brought up to date: ${clientErrorText(error, options)}`);
  }
}

/** The client's verdict on an input. */
interface ClientVerdictAt extends InputSpan {
  /** `null` for an input that is refused before it is checked. */
  readonly verdict: ClientVerdict | null;
  /** The redirects of the URL, if it was followed. */
  readonly followed?: FollowedLink<ClientVerdict> | undefined;
}

/** Checks URLs with a client. One request to the server may contain the hash prefixes of several URLs. */
function clientEvaluator(
  client: Client,
  { offline = false, unwrap: isUnwrapping }: Pick<CheckWithServerOptions, "offline" | "unwrap">,
  colours: Colours,
  follow: Follow | null,
): Evaluator<ClientVerdictAt> {
  const unwrap = isUnwrapping ? unwrapInput : undefined;
  async function* verdictsOn(urls: readonly (string | Uint8Array)[]) {
    if (offline) for (const url of urls) yield client.checkLocally(url, { unwrap });
    else yield* client.checkMany(urls, { unwrap });
  }
  const check = (url: string) => client.check(url, { unwrap });

  async function followed(
    { text }: Input,
    verdict: ClientVerdict | null,
  ): Promise<FollowedLink<ClientVerdict> | undefined> {
    if (follow === null || verdict?.verdict !== "safe") return undefined;
    return followInput(text, follow, check);
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
      const checked = spans.map((span, i) => {
        return { ...span, input: inputs[i]!, verdict: isChecked[i] ? found[next++]! : null };
      });
      const verdicts = await inParallel(checked, async ({ input, ...at }) => {
        return { ...at, followed: await followed(input, at.verdict) };
      });
      return { verdicts, count: spans.length };
    },
    resultOf: (url, { verdict, followed }) =>
      withInput(clientFinding(url, verdict!, colours, followed), url, "URL"),
  };
}

/**
 * @throws {Failure} when the keys of the server are missing or cannot be read, or the URL of the relay is not valid.
 */
async function relayOption({
  relay,
  relayKeys,
  relayUpdates: updates,
  protocol,
}: CheckWithServerOptions): Promise<Pick<ClientOptions, "ohttp">> {
  if (relay === undefined) return {};
  if (protocol === "store") throw new Failure("--relay is not for stores: they cannot decrypt");
  if (relayKeys === undefined) {
    throw new Failure("--relay needs the keys of the server: name a file or URL with --relay-keys");
  }
  const keys = /^https?:\/\//i.test(relayKeys)
    ? { gateway: relayKeys }
    : { keys: await readFile(relayKeys).catch(failTo(`read ${printable(relayKeys)}`)) };
  // The module is loaded only here, because other checks need no cryptography.
  const { throughRelay } = await import("@x/client/ohttp");
  try {
    return { ohttp: throughRelay({ relay, updates, ...keys }) };
  } catch (error) {
    if (hasName<ClientError>(error, "ClientError"))
      throw new Failure(printable(error.message), { cause: error });
    throw error;
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
  follower: Follower | null,
): Promise<void> {
  const { offline = false } = options;
  const follow = follower?.follow ?? null;
  const format = formatOf(options);
  const { client } = await openClient(options, context, await relayOption(options));
  try {
    if (!offline) {
      await updateFirst(client, options, context);
      client.start();
    }
    for (const text of serverListWarnings(client.status(), options)) {
      await context.stderr.write(`urlhash: warning: ${text}\n`);
    }
    const evaluator = clientEvaluator(client, options, context.colours, follow);
    const evaluatePart = evaluatePartWith(evaluator, {
      noun: "URL",
      format,
      onlyListed: options.onlyListed,
      refang: options.refang ?? false,
    });
    const mostOpen = mostOpenOf(urls, options);
    const request = { ...options, args: urls, noun: "URL" as const };
    await evaluateInput(request, evaluatePart, { format, mostOpen }, context);
  } finally {
    await client.stop();
  }
}
