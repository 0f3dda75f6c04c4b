import type { CanonicalUrl } from "@x/canon";
import { readUrl } from "@x/canon/readings";
import { wholeNumber } from "@x/command-line";
import { tooLongLine } from "@x/explain";
import { counted } from "@x/explain/counted";
import { printableJson } from "@x/explain/printable";
import { urlHashes } from "@x/lookup";
import { lookupPrefix } from "@x/prefix-list";
import type { Command } from "commander";
import { anonymityText } from "../anonymity/anonymity-text.ts";
import { prefixGroups } from "../anonymity/prefix-groups.ts";
import { type ListUrlOptions, listUrlReader } from "../client/list-urls.ts";
import type { Context } from "../context.ts";
import { REFUSED, statusHelp } from "../exit-status.ts";
import {
  addInputOptions,
  checkInputOptions,
  type InputOptions,
  inputHelp,
  inputsIn,
  readInput,
} from "../input/arguments-or-lines.ts";
import { foreignInput } from "../input/foreign-input.ts";
import { readEach } from "../input/list-files.ts";
import { listWarnings } from "../input/list-warnings.ts";
import { addJsonOption } from "../output/format.ts";
import { addListOption, addListUrlOptions } from "./options.ts";

interface AnonymityOptions extends InputOptions, ListUrlOptions {
  readonly bytes: number;
  readonly list?: readonly string[];
  readonly json?: boolean;
}

const HELP = `${inputHelp("URL")}

A client that finds a prefix on its list asks the server for the full hashes of
that prefix. The server learns the prefix, and no more. This command counts how
many of your URLs share each prefix: if 50 do, the server cannot tell which of
these 50 was visited.

Without --list, it counts the prefixes of all expressions of the URLs, as if all
were on a list. With --list, it counts the prefixes that are on the lists, which
are the only ones that clients send.

The numbers have limits: your URLs are not all URLs. More URLs on the web share
each prefix, so the true groups are larger. But a server that knows which
URLs people visit can rule out the others. And a client that sends several
prefixes of one page reveals more than the rarest of them does: for ten pages of
one site, the server sees ten groups, and the site that is in all of them.

Different spellings of a URL count once. JSON: { "urls", "hosts", "sending",
"notUrls", "prefixBytes", "expressions", "prefixes", "groups": [{ "from", "to",
"prefixesByUrls", "prefixesByHosts", "urls" }] }. "sending" counts the URLs that
have a prefix to send, and "urls" in a group those whose rarest prefix is in it.
${statusHelp("some input is not a URL")}

Examples:
  $ urlhash anonymity --file urls.txt
  $ urlhash anonymity --file urls.txt --bytes 5 --list hosts.list --json`;

/** Reads an input as a URL; `null` when the input is not a URL, or its host cannot be decided. */
function urlOf(input: string | Uint8Array): CanonicalUrl | null {
  const isTooLong = typeof input !== "string" && tooLongLine(input) !== null;
  if (isTooLong || foreignInput(input, "URL") !== null) return null;
  const { specification, problem } = readUrl(input, "specification");
  return problem === null ? specification : null;
}

export function registerAnonymity(program: Command, context: Context): void {
  const command = program
    .command("anonymity")
    .summary("count how many URLs share each hash prefix")
    .description("Count how many URLs share each hash prefix that clients would send.");
  addListUrlOptions(addListOption(addInputOptions(command))).option(
    "--bytes <n>",
    "length of each hash prefix in bytes, 4 to 8",
    wholeNumber(4, 8),
    4,
  );
  addJsonOption(command).addHelpText("after", HELP);
  command.action(async (urls: string[], options: AnonymityOptions) => {
    checkInputOptions(urls, options);
    const lists = await readEach(options.list ?? [], listUrlReader(options, context));
    await context.stderr.write(listWarnings(lists, undefined));
    const isSent = (hash: Uint8Array) =>
      lists.length === 0 || lists.some((list) => lookupPrefix(list, hash) !== null);
    const groups = prefixGroups(options.bytes);
    let notUrls = 0;
    for await (const part of readInput({ args: urls, noun: "URL", ...options }, context.io)) {
      for (const { text } of inputsIn(part)) {
        const url = urlOf(text);
        if (url === null) {
          notUrls++;
          continue;
        }
        const hashes = urlHashes(url);
        const host = hashes.find(({ expression }) => expression === `${url.host}/`)!;
        const sent = hashes.map(({ hash }) => hash).filter(isSent);
        groups.add(hashes[0]!.hash, host.hash, sent);
      }
    }
    const counts = groups.counts();
    if (notUrls > 0) {
      const said = counted(notUrls, "input is not a URL", "inputs are not URLs");
      await context.stderr.write(`urlhash: ${said}\n`);
      context.addStatus(REFUSED);
    }
    const { bytes: prefixBytes, json } = options;
    await context.stdout.write(
      json
        ? `${printableJson({ ...counts, notUrls, prefixBytes })}\n`
        : anonymityText(counts, { prefixBytes, hasLists: lists.length > 0 }),
    );
  });
}
