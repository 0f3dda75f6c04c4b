import { publishedUri } from "@x/explain";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import { evaluateInput } from "../../evaluate-input.ts";
import {
  addInputOptions,
  type InputOptions,
  textInputHelp,
} from "../../input/arguments-or-lines.ts";
import { addFormatOptions, type FormatOptions } from "../../output/format.ts";
import type { Finding, RefusedInput } from "../../output/results.ts";
import {
  addCanonicalFormOptions,
  type CanonicalFormOptions,
  checkHashing,
} from "./canonical-form-options.ts";

interface PublishOptions extends FormatOptions, InputOptions, CanonicalFormOptions {
  readonly algorithm: string;
  readonly keepQuery?: boolean;
  readonly keepFragment?: boolean;
}

const HELP = `${textInputHelp("URI")}
Lines that start with # are comments. Blanks around a line do not count.

Text: one hashed URI per line, in the order of the URIs. To hide that order,
sort them.
JSON: { "line" or "argument": 1, "uri", "hashed", "algorithm", "value",
"fragment", "query" }.
For an input that is not a URI: { "line", "uri", "error": { "code", "message",
"expected", "index", "section" } }.
Hashes of URIs that can be guessed can be found: anyone who has the list can
hash URIs and look them up.

Exit status:
  0  success                    2  failure: bad usage, unreadable file
  4  some input is not a URI; the rest was processed

Examples:
  $ urlhash publish http://www.thus.net
  $ urlhash publish < sites.txt | sort -u > HASHED.txt
  $ urlhash publish --keep-query --algorithm x-sha256 --file pages.txt`;

export function registerPublish(program: Command, context: Context): void {
  const command = program
    .command("publish")
    .summary("hash URIs, for a list that does not name them")
    .description("Write the hashed URIs of URIs (draft-feather-hashed-uri-03, from 2002).");
  addInputOptions(command, "URI")
    .option("--algorithm <name>", "sha1, md5 or x-sha256", "sha1")
    .option("--keep-query", "hash queries too")
    .option("--keep-fragment", "hash fragments too");
  addFormatOptions(addCanonicalFormOptions(command))
    .addHelpText("after", HELP)
    .action(async (uris: string[], options: PublishOptions) => {
      const { algorithm, keepQuery, keepFragment, variant, base } = options;
      const hashing = { algorithm, keepQuery, keepFragment, variant, base };
      checkHashing(hashing);
      const evaluate = (uri: string | Uint8Array): Finding | RefusedInput => {
        const published = publishedUri(uri, hashing);
        if ("error" in published) return published;
        return { isListed: false, toRecord: () => published, toText: () => published.hashed };
      };
      await evaluateInput(uris, options, { noun: "URI", hasComments: true, evaluate }, context);
    });
}
