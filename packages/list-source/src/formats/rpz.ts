import { isBlockingAddress } from "./hosts.ts";
import type { LineParser, Output } from "./parser.ts";
import { withoutLeadingWildcard } from "./urls.ts";
import { words } from "./words.ts";

/** Triggers on answers and on clients, which say nothing about the name in a URL. */
const OTHER_TRIGGER = /(?:^|\.)rpz-(?:ip|nsip|nsdname|client-ip)$/i;
const TIME_TO_LIVE = /^[0-9]+(?:[smhdw][0-9]*)*$/i;
const CLASS = /^(?:in|ch|hs)$/i;
/** Records about the zone and its signatures. */
const ZONE_RECORDS: ReadonlySet<string> = new Set([
  "SOA",
  "NS",
  "TXT",
  "DNSKEY",
  "RRSIG",
  "NSEC",
  "NSEC3",
  "NSEC3PARAM",
  "ZONEMD",
]);
const BLOCKING_TARGETS: ReadonlySet<string> = new Set([".", "*.", "rpz-drop."]);

/** Records of a response policy zone: `evil.example CNAME .` */
export function rpzParser(output: Output): LineParser {
  /** The name of the zone, with a dot at its end; null until a line gives it. */
  let origin: string | null = null;
  /** The last owner, to which a record that starts with a blank belongs. */
  let owner = "";
  let isInParentheses = false;

  return {
    line(line, raw) {
      const text = withoutZoneComment(line);
      if (text === "") return;
      if (isInParentheses) {
        isInParentheses = !text.includes(")");
        return;
      }
      if (text.startsWith("$")) return readDirective(text);
      const fields = words(text);
      let next = 0;
      if (!/^\s/.test(raw)) owner = fields[next++]!;
      while (TIME_TO_LIVE.test(fields[next] ?? "") || CLASS.test(fields[next] ?? "")) next++;
      const [type = "", data = ""] = fields.slice(next, next + 2);
      readRecord(type.toUpperCase(), data, text);
    },
  };

  function readDirective(text: string): void {
    const [, name] = /^\$ORIGIN\s+(\S+)$/i.exec(text) ?? [];
    if (name !== undefined) origin = name.toLowerCase();
    output.notApplicable();
  }

  function readRecord(type: string, data: string, text: string) {
    if (type === "SOA") {
      if (origin === null && owner.endsWith(".")) origin = owner.toLowerCase();
      isInParentheses = text.includes("(") && !text.includes(")");
    }
    if (ZONE_RECORDS.has(type)) return output.notApplicable();
    const name = relativeName(owner);
    if (name === null) return output.refuse("name-absolute", text);
    if (OTHER_TRIGGER.test(name)) return output.notApplicable();
    const problem = actionProblem(type, data.toLowerCase());
    if (problem === "rpz-tcp-only") output.notApplicable();
    else if (problem !== null) output.refuse(problem, text);
    else output.entry(withoutLeadingWildcard(name), "host");
  }

  /** An owner without the name of the zone; null for a name that is outside it. */
  function relativeName(name: string): string | null {
    if (!name.endsWith(".")) return name;
    const end = `.${origin}`;
    return origin !== null && name.toLowerCase().endsWith(end) ? name.slice(0, -end.length) : null;
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
}

/** In quotation marks a semicolon starts no comment, but only TXT records have these, and they are not read. */
function withoutZoneComment(line: string): string {
  const start = line.indexOf(";");
  return start < 0 ? line : line.slice(0, start).trimEnd();
}
