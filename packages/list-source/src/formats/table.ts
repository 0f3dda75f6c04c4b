import { adblock } from "./adblock.ts";
import { base64 } from "./base64.ts";
import { csv } from "./csv.ts";
import { dnsmasq } from "./dnsmasq.ts";
import { domains } from "./domains.ts";
import type { ListFormat } from "./format.ts";
import { hex } from "./hex.ts";
import { hosts } from "./hosts.ts";
import { jsonLines } from "./json-lines.ts";
import { rpz } from "./rpz.ts";
import { urls } from "./urls.ts";

/** All text formats. If a line has the shape of several formats, the last of them counts. */
export const FORMATS: readonly ListFormat[] = [
  urls,
  domains,
  hosts,
  dnsmasq,
  rpz,
  adblock,
  csv,
  jsonLines,
  hex,
  base64,
];
