import type { SourceFormat } from "../recognize/format.ts";
import { adblockParser } from "./adblock.ts";
import { csvParser } from "./csv.ts";
import { dnsmasqParser } from "./dnsmasq.ts";
import { base64Parser, hexParser } from "./hashes.ts";
import { hostsParser } from "./hosts.ts";
import { jsonLinesParser } from "./json-lines.ts";
import type { LineParser, Output } from "./parser.ts";
import { rpzParser } from "./rpz.ts";
import { domainsParser, urlsParser } from "./urls.ts";

/** The parser of a format. */
export function lineParser(
  format: Exclude<SourceFormat, "prefix-list">,
  output: Output,
  column: string | number | undefined,
): LineParser {
  switch (format) {
    case "urls":
      return urlsParser(output);
    case "domains":
      return domainsParser(output);
    case "hosts":
      return hostsParser(output);
    case "dnsmasq":
      return dnsmasqParser(output);
    case "rpz":
      return rpzParser(output);
    case "adblock":
      return adblockParser(output);
    case "csv":
      return csvParser(output, column);
    case "json-lines":
      return jsonLinesParser(output, column === undefined ? undefined : String(column));
    case "hex":
      return hexParser(output);
    case "base64":
      return base64Parser(output);
  }
}
