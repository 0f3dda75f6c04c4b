import { readUri } from "@x/canon/hierarchical";
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
  warningOfUri,
} from "./canonical-form-options.ts";

interface HashUrisOptions extends EvaluatingOptions, CanonicalFormOptions {
  readonly algorithm: string;
  readonly keepQuery?: boolean;
  readonly keepFragment?: boolean | undefined;
  readonly bothSpellings?: boolean;
  readonly header: boolean;
}

const HELP = `Lines that start with # are comments. Spaces around a line are ignored.

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
Without its query, a URI stands for all pages that differ only in the query,
such as all videos of a site; the same holds for fragments. A warning counts
such URIs; --keep-query and --keep-fragment hash these parts, too.
With several algorithms, each URI has one line for each, and JSON has the first
as "hashed" and the others as "moreHashed".
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
          .option("--algorithm <names>", "sha1, md5 or x-sha256, or several: md5,sha1", "sha1")
          .option("--keep-query", "hash queries too (default: only those of URIs like magnet:?…)")
          .option("--no-keep-query", "hash no queries, unless a URI has nothing else")
          .option("--keep-fragment", "hash fragments too")
          .option("--no-keep-fragment", "hash no fragments, without a warning (default: with one)")
          .option("--both-spellings", "publish the root of a site with and without its slash")
          .option("--no-header", "leave out the comments that say how the list was made"),
      ),
    evaluation: hashingUris,
  });
}

function hashingUris(options: HashUrisOptions, { stderr }: Context): Evaluation {
  const { keepQuery, keepFragment, variant = "N", base, header } = options;
  const [first, ...more] = new Set(options.algorithm.split(/, ?/));
  const hashing = { algorithm: first!, keepQuery, keepFragment, variant, base };
  for (const algorithm of [first!, ...more]) checkHashing({ ...hashing, algorithm });
  const widened = { query: counted(), fragment: counted() };
  let count = 0;
  const evaluate = (uri: string | Uint8Array): Finding | RefusedInput => {
    const published = publishedUri(uri, hashing);
    if ("error" in published) return published;
    const text = inputText(uri) as string;
    const initial = readUri(text, base).uri;
    if (keepQuery === undefined && initial?.query != null && !published.query) {
      widened.query.add(uri);
    }
    if (keepFragment === undefined && initial?.fragment != null) widened.fragment.add(uri);
    const other = otherSpelling(text, hashing);
    const otherHashed =
      other !== null && options.bothSpellings ? hashUri(other, hashing) : undefined;
    const spellings = otherHashed === undefined ? [text] : [text, other!];
    const moreHashed = spellings.flatMap((each) =>
      more.map((algorithm) => hashUri(each, { ...hashing, algorithm })),
    );
    const lines = [
      published.hashed,
      ...(otherHashed === undefined ? [] : [otherHashed]),
      ...moreHashed,
    ];
    count += lines.length;
    const spelling =
      other !== null && otherHashed === undefined
        ? `${printableInShort(uri)} matches in this spelling only, not as ${printableInShort(other)} (--both-spellings publishes both)`
        : warningOfQuery(uri, published.query, keepQuery);
    const warning = warningOfUri(text) ?? spelling;
    // JSON leaves out members that are undefined.
    const record = {
      ...published,
      otherSpelling: other ?? undefined,
      otherHashed,
      moreHashed: more.length > 0 ? moreHashed : undefined,
    };
    return { isListed: false, warning, toRecord: () => record, toText: () => lines.join("\n") };
  };
  const close = async (): Promise<void> => {
    for (const part of ["query", "fragment"] as const) {
      const warning = widened[part].warning(part);
      if (warning !== null) await stderr.write(`urlhash: warning: ${warning}\n`);
    }
  };
  if (!header) return { hasComments: true, evaluate, close };
  const created = `${new Date().toISOString().slice(0, -".000Z".length)}Z`;
  const facts = { variant, algorithm: [first, ...more].join(", ").toLowerCase(), created };
  const before = formatHashedUriListHeader(base === undefined ? facts : { ...facts, base });
  const after = (): string => formatHashedUriListHeader({ count });
  return { hasComments: true, evaluate, close, before, after };
}

/** Counts URIs that were hashed without one of their parts. */
function counted() {
  let count = 0;
  let first = "";
  return {
    add(uri: string | Uint8Array): void {
      if (count++ === 0) first = printableInShort(uri);
    },
    warning(part: "query" | "fragment"): string | null {
      if (count === 0) return null;
      const [were, those, examples] =
        count === 1
          ? ["1 URI was", "its entry matches", first]
          : [`${count} URIs were`, "their entries match", `${first} is the first`];
      const every = part === "query" ? "every query" : "every fragment";
      return `${were} hashed without the ${part}, so ${those} the same URI with ${every} (${examples}): --keep-${part} hashes it, --no-keep-${part} accepts this`;
    },
  };
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
