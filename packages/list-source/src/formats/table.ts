import { adblock } from "./adblock.ts";
import { base64 } from "./base64.ts";
import { csv } from "./csv.ts";
import { dnsmasq } from "./dnsmasq.ts";
import { domains } from "./domains.ts";
import { hex } from "./hex.ts";
import { hosts } from "./hosts.ts";
import { jsonLines } from "./json-lines.ts";
import { rpz } from "./rpz.ts";
import { urls } from "./urls.ts";

/**
 * All formats of text. When a line has the shapes of several, the last one counts. (`as typeof` only repeats the type,
 * because declarations must not depend on other files.)
 */
export const FORMATS = [
  urls as typeof urls,
  domains as typeof domains,
  hosts as typeof hosts,
  dnsmasq as typeof dnsmasq,
  rpz as typeof rpz,
  adblock as typeof adblock,
  csv as typeof csv,
  jsonLines as typeof jsonLines,
  hex as typeof hex,
  base64 as typeof base64,
] as const;

type Format = (typeof FORMATS)[number];

/** The name of a format of text. */
export type FormatName = Format["name"];

/** A code with which a list of URLs refuses the lines of another format. */
export type FormatLineCode = NonNullable<Format["shape"]>["code"];

/** A reason to refuse a line that a format has of its own. */
export type FormatRefusalCode = KeysOf<Format["refusals"]>;

type KeysOf<Each> = Each extends unknown ? keyof Each : never;
