import type { LineParser, ListFormat, Output } from "./format.ts";
import { isBlockingAddress, isWholeTarget } from "./parts/addresses.ts";
import { withoutLeadingWildcard } from "./parts/plain-lines.ts";
import { setOf, words } from "./parts/words.ts";

/** Triggers that match answers or clients. They do not depend on the name in a URL. */
const OTHER_TRIGGER = /(?:^|\.)rpz-(?:ip|nsip|nsdname|client-ip)$/i;
const TIME_TO_LIVE = /^[0-9]+(?:[smhdw][0-9]*)*$/i;
const CLASS = /^(?:in|ch|hs)$/i;
/** Types of records about the zone and its signatures. */
const ZONE_RECORDS: ReadonlySet<string> = setOf(
  "SOA NS TXT DNSKEY RRSIG NSEC NSEC3 NSEC3PARAM ZONEMD",
);
const BLOCKING_TARGETS: ReadonlySet<string> = setOf(". *. rpz-drop.");

/** Records of a response policy zone: `evil.example CNAME .` */
export const rpz: ListFormat = {
  name: "rpz",
  title: "a response policy zone",
  shape: {
    code: "rpz-line",
    found: "a record of a zone file",
    pattern:
      /^\$(?:TTL|ORIGIN)\s|^[\w.*@-]*\s+(?:[0-9]+[smhdw]?\s+)?(?:IN\s+)?(?:SOA|NS|CNAME|TXT|A|AAAA|soa|cname)\s+\S/,
  },
  parser: rpzParser,
};

function rpzParser(output: Output): LineParser {
  /** The name that is appended to relative names, with a dot at its end; null until a line gives it. */
  let origin: string | null = null;
  /** The name of the zone, with a dot at its end; null until a line gives it. */
  let zone: string | null = null;
  /** The last owner. A record that starts with a blank belongs to it. */
  let owner = "";
  let lastTarget = "";
  /** Whether any record so far had a target that does not block. */
  let sawOther = false;
  /** The start of an SOA record that continues on the next line, and how many lines it has so far. */
  let open: { readonly start: string; lines: number } | null = null;

  return {
    line(line, raw) {
      const text = withoutZoneComment(line);
      if (open !== null) return readNumbers(text, open);
      if (text === "") return;
      if (text.startsWith("$")) return readDirective(text);
      const fields = words(text);
      let next = 0;
      if (!/^\s/.test(raw)) owner = fields[next++]!;
      while (TIME_TO_LIVE.test(fields[next] ?? "") || CLASS.test(fields[next] ?? "")) next++;
      const [type = "", ...data] = fields.slice(next);
      readRecord(type.toUpperCase(), data, text);
    },
    isOpen: () => open !== null,
    end() {
      if (open !== null) output.refuse("record-unclosed", open.start, open.lines);
      open = null;
    },
    lastLine: () => (sawOther && !isWholeTarget(lastTarget) ? "cut" : "whole"),
  };

  /**
   * Reads a further line of an SOA record. The line must contain only numbers, because any entries in it would be lost
   * unnoticed.
   */
  function readNumbers(text: string, record: { readonly start: string; lines: number }): void {
    record.lines++;
    const [numbers = "", ...after] = text.split(")");
    const isRest = words(numbers).every((word) => TIME_TO_LIVE.test(word));
    if (!isRest) output.refuse("record-unclosed", record.start, record.lines);
    if (!isRest || after.length > 0) open = null;
  }

  /** Reads a directive. `$INCLUDE` and `$GENERATE` stand for records that cannot be read here. */
  function readDirective(text: string): void {
    const [, name] = /^\$ORIGIN\s+(\S+)$/i.exec(text) ?? [];
    if (name !== undefined) {
      origin = absoluteName(name, origin) ?? `${name.toLowerCase()}.`;
      if (zone === null && origin !== ".") zone = origin;
      output.notApplicable(text);
    } else if (/^\$TTL\s/i.test(text)) output.notApplicable(text);
    else output.refuse("record-unknown", text);
  }

  function readRecord(type: string, [data = "", ...more]: readonly string[], text: string) {
    if (type === "SOA") {
      zone = absoluteName(owner, origin) ?? zone;
      origin ??= zone;
      if (text.includes("(") && !text.includes(")")) open = { start: text, lines: 1 };
    }
    if (ZONE_RECORDS.has(type)) return output.notApplicable(text);
    const name = relativeName(owner, origin, zone);
    if (name === null) return output.refuse("name-absolute", text);
    if (OTHER_TRIGGER.test(name)) return output.notApplicable(text);
    const problem = more.length > 0 ? "record-unknown" : actionProblem(type, data.toLowerCase());
    lastTarget = data;
    if (problem !== null) sawOther = true;
    if (problem === "rpz-tcp-only") output.notApplicable(text);
    else if (problem !== null) output.refuse(problem, text);
    else output.entry(withoutLeadingWildcard(name), "host");
  }
}

/** The absolute form of a name; null for a relative name if the origin is not known yet. */
function absoluteName(name: string, origin: string | null): string | null {
  if (name === "@") return origin;
  if (name.endsWith(".")) return name.toLowerCase();
  if (origin === null) return null;
  return `${name.toLowerCase()}.${origin === "." ? "" : origin}`;
}

/** An owner without the name of the zone; null for a name outside the zone. */
function relativeName(name: string, origin: string | null, zone: string | null): string | null {
  const absolute = absoluteName(name, origin);
  if (absolute === null) return name;
  const end = `.${zone}`;
  return zone !== null && absolute.endsWith(end) ? absolute.slice(0, -end.length) : null;
}

function actionProblem(type: string, data: string) {
  if (type === "A" || type === "AAAA") {
    return isBlockingAddress(data) ? null : ("address-not-blocking" as const);
  }
  if (type !== "CNAME") return "record-unknown" as const;
  if (BLOCKING_TARGETS.has(data)) return null;
  if (/^rpz-passthru\.?$/.test(data)) return "exception" as const;
  return data === "rpz-tcp-only." ? ("rpz-tcp-only" as const) : ("redirect" as const);
}

/**
 * Removes a comment. A semicolon in quotation marks does not start a comment, but only TXT records have quotation
 * marks, and they are not read.
 */
function withoutZoneComment(line: string): string {
  const start = line.indexOf(";");
  return start < 0 ? line : line.slice(0, start).trimEnd();
}
