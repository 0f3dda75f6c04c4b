import { counted } from "@x/explain/counted";
import { printable, printableJson } from "@x/explain/printable";
import { encodePrefixList } from "@x/prefix-list";
import type { Command } from "commander";
import type { FetchOptions } from "../../client/list-address.ts";
import type { FetchedList } from "../../client/stored-list.ts";
import type { Context } from "../../context.ts";
import { emptyListText } from "../../input/list-files.ts";
import { addJsonOption } from "../../output/format.ts";
import { durationText } from "../../output/layout.ts";
import { checkJsonOutput, OUTPUT_HELP, openOutput } from "../../output/write-output.ts";
import { addListUrlOptions, addStoredBytesOption, STORED_BYTES_HELP } from "../options.ts";

interface Options extends FetchOptions {
  readonly output?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

const HELP = `
The URL is the address of a store, as urlhash-server publishes and copies them,
and the name of a list: https://HOST/PATH/NAME. For a bucket, it is
s3://BUCKET/PATH/NAME, with the AWS_... variables that all tools for S3 read.

Every version is verified. Give the public key of the publisher once: it is
kept, and later keys must be signed by earlier ones. --trust-first-key trusts
the key that is in the store, without any proof.

The list is kept in the cache, so the next call downloads only what changed. A
list that is older than what was seen before, that was changed by anyone else,
or that has expired is refused, and nothing is written. Without -o, only the
cache is brought up to date, which "urlhash check --list URL" reads.

${STORED_BYTES_HELP}
${OUTPUT_HELP}

Standard error says how old the list is. JSON: { "url", "list", "version",
"prefixes", "checksum", "issued", "expires", "ageSeconds", "expired",
"withdrawn", "retired", "publicKeys", "requests", "bytes" }; the last two are
what was downloaded.

Exit status: 0, or 2 for a failure.

Examples:
  $ urlhash list fetch https://lists.example/malware --public-key store.pub
  $ urlhash list fetch https://lists.example/malware --bytes 8 -o malware.list`;

function recordOf({ url, manifest, prefixes, publicKeys, requests, bytes }: FetchedList) {
  const { list, version, issued, expires, withdrawn, retired = false } = manifest;
  const now = Date.now();
  return {
    url,
    list,
    version,
    prefixes: prefixes.size,
    checksum: prefixes.checksum,
    issued: new Date(issued).toISOString(),
    expires: new Date(expires).toISOString(),
    ageSeconds: Math.max(0, Math.floor((now - issued) / 1000)),
    expired: now >= expires,
    withdrawn,
    retired,
    publicKeys,
    requests,
    bytes,
  };
}

function ageLine({ manifest }: FetchedList): string {
  const { list, version, issued, expires, withdrawn, retired } = manifest;
  const now = Date.now();
  const signed = `version ${version} of ${list} was signed ${durationText(now - issued)} ago`;
  if (retired) return `urlhash: ${signed}; its publisher has retired it, so it stays empty\n`;
  const until =
    now < expires
      ? `expires in ${durationText(expires - now)}`
      : `EXPIRED ${durationText(now - expires)} ago`;
  const gone = withdrawn ? "; its publisher has withdrawn it" : "";
  return `urlhash: ${signed} and ${until}${gone}\n`;
}

export function registerListFetch(list: Command, context: Context): void {
  const command = list
    .command("fetch")
    .summary("fetch a signed list from a store at a URL")
    .description("Fetch a list from a store at a URL, verify it, and download only what changed.")
    .argument("<url>", "https://HOST/PATH/NAME or s3://BUCKET/PATH/NAME")
    .option("-o, --output <list>", 'the file to write; "-" is stdout');
  addStoredBytesOption(addListUrlOptions(command))
    .option("--trust-first-key", "trust the key that is in the store now, and keep it")
    .option("--allow-expired", "write a list that has expired")
    .option("-q, --quiet", "write only warnings and errors");
  addJsonOption(command)
    .addHelpText("after", HELP)
    .action(async (url: string, options: Options) => {
      const { output, quiet = false, json = false } = options;
      checkJsonOutput(json, output);
      const file = output === undefined ? null : await openOutput(output, [], context);
      // The client is loaded only when it is needed, so that other commands start fast.
      const { fetchList } = await import("../../client/stored-list.ts");
      const fetched = await fetchList(url, options, context);
      await file?.write(encodePrefixList(fetched.prefixes));
      if (!quiet) await context.stderr.write(ageLine(fetched));
      if (fetched.prefixes.size === 0) {
        const text = emptyListText(fetched.manifest.list);
        await context.stderr.write(`urlhash: warning: ${text}\n`);
      }
      if (json) await context.stdout.write(`${printableJson(recordOf(fetched))}\n`);
      else if (!quiet) {
        const { prefixes, bytes, requests } = fetched;
        const text = `${counted(prefixes.size, "prefix", "prefixes")}; ${counted(bytes, "byte", "bytes")} downloaded in ${counted(requests, "request", "requests")}\n`;
        const name = file?.name ?? printable(fetched.url);
        await (file === null
          ? context.stdout.write(`${name}: ${text}`)
          : file.tell(`${name}: ${text}`));
      }
    });
}
