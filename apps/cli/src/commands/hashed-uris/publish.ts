import { inputText, type PublishedUri, publishedUri } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import {
  formatHashedUriListHeader,
  type HashUriOptions,
  hashUri,
  otherSpelling,
} from "@x/hashed-uri";
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
  readonly bothSpellings?: boolean;
  readonly header: boolean;
}

/** A published URI, and the spelling that its hash does not match. */
interface Published extends PublishedUri {
  readonly otherSpelling?: string;
  readonly otherHashed?: string;
}

function withOtherSpelling(
  uri: string | Uint8Array,
  published: PublishedUri,
  hashing: HashUriOptions,
  bothSpellings: boolean,
): Published {
  const other = otherSpelling(inputText(uri) as string, hashing);
  if (other === null) return published;
  if (!bothSpellings) return { ...published, otherSpelling: other };
  return { ...published, otherSpelling: other, otherHashed: hashUri(other, hashing) };
}

const HELP = `${textInputHelp("URI")}
Lines that start with # are comments. Blanks around a line are ignored.

Text: one hashed URI per line, in the order of the URIs. To hide that order,
sort them.
Comment lines say how the list was made; "urlhash match" follows them wherever
they stand, so the list may be sorted.
JSON: { "line" or "argument": 1, "uri", "hashed", "algorithm", "value",
"fragment", "query" }, and "otherSpelling" where there is one; with
--both-spellings also "otherHashed".
For an input that is not a URI: { "line", "uri", "error": { "code", "message",
"expected", "index", "section" } }.
http://www.thus.net and http://www.thus.net/ are one page, but have different
hashes under variant N. A warning names each URI that matches only its own
spelling; --both-spellings publishes the other one too.
A hash does not hide a URI that can be guessed: anyone who has the list can hash
URIs and look them up.

Exit status:
  0  success                    2  failure: bad usage, unreadable file
  4  some input is not a URI; the rest was processed

Examples:
  $ urlhash publish http://www.thus.net
  $ urlhash publish --both-spellings < sites.txt | sort > HASHED.txt
  $ urlhash publish --keep-query --algorithm x-sha256 --file pages.txt`;

export function registerPublish(program: Command, context: Context): void {
  const command = program
    .command("publish")
    .summary("hash URIs, for a list that does not name them")
    .description("Write the hashed URIs of URIs (draft-feather-hashed-uri-03, from 2002).");
  addInputOptions(command, "URI")
    .option("--algorithm <name>", "sha1, md5 or x-sha256", "sha1")
    .option("--keep-query", "hash queries too")
    .option("--keep-fragment", "hash fragments too")
    .option("--both-spellings", "publish the root of a site with and without its slash")
    .option("--no-header", "leave out the comments that say how the list was made");
  addFormatOptions(addCanonicalFormOptions(command))
    .addHelpText("after", HELP)
    .action(async (uris: string[], options: PublishOptions) => {
      const { algorithm, keepQuery, keepFragment, variant = "N", base } = options;
      const { bothSpellings = false, header } = options;
      const hashing = { algorithm, keepQuery, keepFragment, variant, base };
      checkHashing(hashing);
      let count = 0;
      const evaluate = (uri: string | Uint8Array): Finding | RefusedInput => {
        const published = publishedUri(uri, hashing);
        if ("error" in published) return published;
        const record = withOtherSpelling(uri, published, hashing, bothSpellings);
        const { otherSpelling, otherHashed, hashed } = record;
        const lines = otherHashed === undefined ? [hashed] : [hashed, otherHashed];
        count += lines.length;
        const isAlone = otherSpelling !== undefined && otherHashed === undefined;
        const warning = isAlone
          ? `${printableInShort(uri)} matches in this spelling only, not as ${printableInShort(otherSpelling)} (--both-spellings publishes both)`
          : null;
        return { isListed: false, warning, toRecord: () => record, toText: () => lines.join("\n") };
      };
      const created = `${new Date().toISOString().slice(0, -".000Z".length)}Z`;
      const facts = { variant, algorithm, created };
      const before = formatHashedUriListHeader(base === undefined ? facts : { ...facts, base });
      const after = (): string => formatHashedUriListHeader({ count });
      const framed = header ? { before, after } : {};
      const evaluation = { noun: "URI", hasComments: true, evaluate, ...framed } as const;
      await evaluateInput(uris, options, evaluation, context);
    });
}
