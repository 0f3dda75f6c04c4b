import { inputText, publishedUri } from "@x/explain";
import { printableInShort } from "@x/explain/printable";
import { formatHashedUriListHeader, hashUri, otherSpelling } from "@x/hashed-uri";
import type { Command } from "commander";
import type { Context } from "../../context.ts";
import type { Finding, RefusedInput } from "../../output/results.ts";
import {
  type EvaluatingOptions,
  type Evaluation,
  registerEvaluating,
} from "../evaluating-command.ts";
import {
  addCanonicalFormOptions,
  type CanonicalFormOptions,
  checkHashing,
} from "./canonical-form-options.ts";

interface HashUrisOptions extends EvaluatingOptions, CanonicalFormOptions {
  readonly algorithm: string;
  readonly keepQuery?: boolean;
  readonly keepFragment?: boolean;
  readonly bothSpellings?: boolean;
  readonly header: boolean;
}

const HELP = `Lines that start with # are comments. Blanks around a line are ignored.

Text: one hashed URI per line, in the order of the URIs. To hide that order,
sort them.
Comment lines say how the list was made; "urlhash match" follows them wherever
they stand, so the list may be sorted.
JSON: { "line" or "argument": 1, "uri", "hashed", "algorithm", "value",
"fragment", "query" }, and "otherSpelling" where there is one; with
--both-spellings also "otherHashed".
http://www.thus.net and http://www.thus.net/ are one page, but have different
hashes under variant N. A warning names each URI that matches only its own
spelling; --both-spellings publishes the other one too.
In mailto:, magnet: and other opaque URIs, the text after "?" is part of the
name, and is hashed unless --no-keep-query is given. A warning names each such
URI.
A hash does not hide a URI that can be guessed: anyone who has the list can hash
URIs and look them up.`;

const EXAMPLES = `  $ urlhash hash-uris http://www.thus.net
  $ urlhash hash-uris --both-spellings < sites.txt | sort > HASHED.txt
  $ urlhash hash-uris --keep-query --algorithm x-sha256 --file pages.txt`;

export function registerHashUris(program: Command, context: Context): void {
  registerEvaluating<HashUrisOptions>(program, context, {
    name: "hash-uris",
    summary: "hash URIs, for a list that does not name them",
    description: "Write the hashed URIs of URIs (draft-feather-hashed-uri-03, from 2002).",
    help: HELP,
    examples: EXAMPLES,
    noun: "URI",
    addOptions: (command) =>
      addCanonicalFormOptions(
        command
          .option("--algorithm <name>", "sha1, md5 or x-sha256", "sha1")
          .option("--keep-query", "hash queries too (default: only those of URIs like magnet:?…)")
          .option("--no-keep-query", "hash no queries, unless a URI has nothing else")
          .option("--keep-fragment", "hash fragments too")
          .option("--both-spellings", "publish the root of a site with and without its slash")
          .option("--no-header", "leave out the comments that say how the list was made"),
      ),
    evaluation: hashingUris,
  });
}

function hashingUris(options: HashUrisOptions): Evaluation {
  const { algorithm, keepQuery, keepFragment, variant = "N", base, header } = options;
  const hashing = { algorithm, keepQuery, keepFragment, variant, base };
  checkHashing(hashing);
  let count = 0;
  const evaluate = (uri: string | Uint8Array): Finding | RefusedInput => {
    const published = publishedUri(uri, hashing);
    if ("error" in published) return published;
    const { hashed } = published;
    const other = otherSpelling(inputText(uri) as string, hashing);
    const otherHashed =
      other !== null && options.bothSpellings ? hashUri(other, hashing) : undefined;
    const lines = otherHashed === undefined ? [hashed] : [hashed, otherHashed];
    count += lines.length;
    const warning =
      other !== null && otherHashed === undefined
        ? `${printableInShort(uri)} matches in this spelling only, not as ${printableInShort(other)} (--both-spellings publishes both)`
        : warningOfQuery(uri, published.query, keepQuery);
    // JSON leaves out members that are undefined.
    const record = { ...published, otherSpelling: other ?? undefined, otherHashed };
    return { isListed: false, warning, toRecord: () => record, toText: () => lines.join("\n") };
  };
  if (!header) return { hasComments: true, evaluate };
  const created = `${new Date().toISOString().slice(0, -".000Z".length)}Z`;
  const facts = { variant, algorithm: algorithm.toLowerCase(), created };
  const before = formatHashedUriListHeader(base === undefined ? facts : { ...facts, base });
  const after = (): string => formatHashedUriListHeader({ count });
  return { hasComments: true, evaluate, before, after };
}

/** Warns about a query that was hashed although the user did not ask to keep queries. */
function warningOfQuery(
  uri: string | Uint8Array,
  isHashed: boolean,
  keepQuery: boolean | undefined,
): string | null {
  if (!isHashed || keepQuery === true) return null;
  const hint =
    keepQuery === false
      ? "was hashed all the same: nothing else tells this URI apart from others"
      : "was hashed, too, because it is part of the name of such URIs (--keep-query accepts this; --no-keep-query leaves it out where it can)";
  return `${printableInShort(uri)} matches with this query only; it ${hint}`;
}
