import { printable } from "@x/explain/printable";
import { decodeNss, parseUrn } from "@x/urn";
import type { UrnCommand, UrnOptions } from "./urn-command.ts";

const HELP = `A namespace-specific string on its own is decoded, too.

Each escape is decoded once, as UTF-8: the inverse of "urlhash urn encode".
Compare URNs, not names: a%2Cb and a,b are different URNs with the same name.
Text: one name per line. Characters that are unsafe to show are spelled out.
JSON: { "line" or "argument": 1, "urn", "nss", "name" }.`;

const EXAMPLES = `  $ urlhash urn decode urn:example:Z%C3%BCrich%20100%25
  $ urlhash urn decode --ndjson < urns.txt | jq -r .name`;

export const DECODE: UrnCommand<UrnOptions> = {
  name: "decode",
  description: "Write the names that URNs, or their namespace-specific strings, stand for.",
  help: HELP,
  examples: EXAMPLES,
  refusedStatus: "some input is not a URN, or not in UTF-8",
  evaluating:
    ({ syntax }) =>
    (text) => {
      // Text that begins with `urn:` is refused unless it is a URN.
      const nss = /^urn:/i.test(text) ? parseUrn(text, { syntax }).nss : text;
      const name = decodeNss(nss, { syntax });
      return { isListed: false, toRecord: () => ({ nss, name }), toText: () => printable(name) };
    },
};
