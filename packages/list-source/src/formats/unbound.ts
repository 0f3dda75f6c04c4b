import { setOf } from "../text.ts";
import type { LineParser, ListFormat, Output } from "./format.ts";
import { isBlockingAddress } from "./hosts.ts";
import { withoutComment } from "./plain.ts";

/** Matches a clause, such as `server:`. */
const CLAUSE =
  /^(?:server|remote-control|forward-zone|stub-zone|auth-zone|view|rpz|python|cachedb):$/;
const OPTION = /^([a-z][a-z0-9-]*):\s+(\S.*)$/;
const ZONE = /^(?:"([^"]+)"|'([^']+)'|([^\s"']+))\s+(?:"([a-z_]+)"|'([a-z_]+)'|([a-z_]+))$/;
const DATA = /^(?:"([^"]*)"|'([^']*)')$/;
const RECORD = /^(\S+)(?:\s+(?:\d+|IN))*\s+(?:A|AAAA)\s+(\S+)$/i;

/** The types of zones in which no name has an address, unless a `local-data` option gives it one. */
const BLOCKING = setOf(
  "static deny refuse inform_deny always_refuse always_nxdomain always_nodata always_deny always_null",
);
/** The types whose names have the addresses of `local-data` options, or those in the DNS. */
const TRANSPARENT = setOf("transparent typetransparent inform always_transparent");
const REDIRECTING = setOf("redirect inform_redirect");

/** Options of unbound: `local-zone: "evil.example" always_nxdomain`, `local-data: "evil.example A 0.0.0.0"`. */
export const unbound: ListFormat = {
  name: "unbound",
  title: "unbound options",
  shape: {
    code: "unbound-line",
    found: "an unbound option",
    pattern: /^\s*local-(?:zone|data):\s/,
  },
  parser: unboundParser,
};

function unboundParser(output: Output): LineParser {
  /** Whether the options are for all clients. Those of a view are for some, and other clauses have no zones. */
  let isForAll = true;
  return {
    line(line) {
      if (line.startsWith("#")) return;
      const option = withoutComment(line);
      if (CLAUSE.test(option)) {
        isForAll = option === "server:";
        return output.notApplicable(option);
      }
      const [, name = "", value = ""] = OPTION.exec(option) ?? [];
      // Another option may follow the name of a clause on the same line.
      if (CLAUSE.test(`${name}:`)) output.refuse("option-unknown", option);
      else if (name === "include" || name === "include-toplevel")
        output.refuse("directive", option);
      else if (!/^local-/.test(name) && name !== "") output.notApplicable(option);
      else if (!isForAll) output.refuse("directive", option);
      else if (name === "local-zone") readZone(ZONE.exec(value), option);
      else if (name === "local-data") readData(DATA.exec(value), option);
      else output.refuse("option-unknown", option);
    },
  };

  function readZone(found: RegExpExecArray | null, option: string): void {
    const [zone, type = ""] = found?.slice(1).filter((each) => each !== undefined) ?? [];
    if (zone === undefined) output.refuse("not-a-url", option);
    else if (TRANSPARENT.has(type)) output.refuse("exception", option);
    // The option with the data of the zone says where its names lead.
    else if (REDIRECTING.has(type)) output.notApplicable(option);
    else if (!BLOCKING.has(type)) output.refuse("option-unknown", option);
    else readHost(zone, option);
  }

  function readData(found: RegExpExecArray | null, option: string): void {
    const [, host, address = ""] = RECORD.exec(found?.[1] ?? found?.[2] ?? "") ?? [];
    if (host === undefined) output.refuse("record-unknown", option);
    else if (!isBlockingAddress(address)) output.refuse("address-not-blocking", option);
    else readHost(host, option);
  }

  /** The names are bytes, and clients ask for names in ASCII. */
  function readHost(host: string, option: string): void {
    if (/[^\0-\x7f]/.test(host)) output.refuse("host-character", option);
    else output.entry(host, "host");
  }
}
