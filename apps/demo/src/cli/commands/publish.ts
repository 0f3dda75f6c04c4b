import { hashUri, parseHashedUri } from "@x/hashed-uri";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { evaluateGiven } from "../evaluate-given.ts";
import { addFormatOptions, type FormatOptions, formatOf } from "../format.ts";
import { addGivenOptions, checkGiven, type GivenOptions, givenTextHelp } from "../given.ts";
import { refusing, tryOptions } from "../hashed/refusing.ts";
import { addFormOptions, type FormOptions } from "../hashed/variant-option.ts";
import { onText } from "../on-text.ts";
import { writeWithProgress } from "../write-with-progress.ts";

interface PublishOptions extends FormatOptions, GivenOptions, FormOptions {
  readonly algorithm: string;
  readonly keepQuery?: boolean;
  readonly keepFragment?: boolean;
}

const HELP = `${givenTextHelp("URI")}
Comments (lines that start with #) are left out, and so are blanks around a
line.

Text: hashed URIs, one a line, in the order of the URIs: sort them to hide it.
JSON: { "line" or "argument": 1, "uri", "hashed", "algorithm", "value",
"fragment", "query" }; of what is no URI: { "line", "uri", "error": { "code",
"message", … } }.
What can be guessed can be found: who has the list can hash URIs and look them
up.

Exit status:
  0  all is published           2  failure: bad usage, unreadable file
  4  some input is no URI; the rest was dealt with

Examples:
  $ urlhash publish http://www.thus.net
  $ urlhash publish < sites.txt | sort -u > HASHED.txt
  $ urlhash publish --keep-query --algorithm x-sha256 --file pages.txt`;

export function registerPublish(program: Command, context: Context): void {
  const command = program
    .command("publish")
    .summary("hashed URIs of URIs, for a list that does not name them")
    .description("Write the hashed URIs of URIs (draft-feather-hashed-uri).");
  addGivenOptions(command, "URI")
    .option("--algorithm <name>", "sha1, md5 or x-sha256", "sha1")
    .option("--keep-query", "hash queries too")
    .option("--keep-fragment", "hash fragments too");
  addFormatOptions(addFormOptions(command))
    .addHelpText("after", HELP)
    .action(async (uris: string[], options: PublishOptions) => {
      checkGiven(uris, options, "URI");
      const format = formatOf(options);
      const { algorithm, keepQuery, keepFragment, variant, base, file } = options;
      const hashing = { algorithm, keepQuery, keepFragment, variant, base };
      tryOptions(() => hashUri("a", { ...hashing, base: base ?? "http://a/" }));
      const evaluate = onText((uri) => {
        const hashed = refusing(() => hashUri(uri, hashing));
        return {
          isListed: false,
          toRecord: () => ({ hashed, ...parseHashedUri(hashed) }),
          toText: () => hashed,
        };
      });
      const blocks = evaluateGiven(
        uris,
        { ...(file === undefined ? {} : { file }), hasComments: true, noun: "URI" },
        evaluate,
        { format, onlyListed: false, noun: "URI" },
        context.io,
      );
      await writeWithProgress(blocks, uris.length > 0 ? null : (file ?? "-"), format, context);
    });
}
