import { setOf, words } from "../text.ts";
import type { LineParser, ListFormat, Output } from "./format.ts";
import { isBlockingAddress, isWholeTarget } from "./hosts.ts";

/** Triggers that match answers or clients, and not the name in a URL. */
const OTHER_TRIGGER = /(?:^|\.)rpz-(?:ip|nsip|nsdname|client-ip)$/i;
const TIME_TO_LIVE = /^[0-9]+(?:[smhdw][0-9]*)*$/i;
const CLASS = /^(?:in|ch|hs)$/i;
/** Types of records about signatures. No resolver reads them as policies. */
const SIGNATURES: ReadonlySet<string> = setOf("DNSKEY RRSIG NSEC NSEC3 NSEC3PARAM ZONEMD");
const BLOCKING_TARGETS: ReadonlySet<string> = setOf(". *. rpz-drop.");

/**
 * Records of a response policy zone: `evil.example CNAME .` The records of every zone, such as `SOA`, are not reported.
 */
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
  const names = zoneNames();
  /** The last owner, to which a record that starts with a space belongs, even after another `$ORIGIN`. */
  let owner = "";
  let lastTarget = "";
  /** Whether any record so far had a target that does not block. */
  let sawOther = false;
  /** An SOA record whose numbers, in parentheses, continue on the next line, and the number of its lines so far. */
  let open: { readonly start: string; lines: number } | null = null;

  function endNumbers(isComplete: boolean): void {
    if (open !== null && !isComplete) output.refuse("record-unclosed", open.start, open.lines);
    open = null;
  }

  return {
    line(line, raw) {
      // Only TXT records have quotation marks, in which a semicolon does not start a comment, and they are not read.
      const end = line.indexOf(";");
      const text = end < 0 ? line : line.slice(0, end).trimEnd();
      if (open !== null) {
        open.lines++;
        const [numbers = "", ...after] = text.split(")");
        // Any entries between the numbers would be lost unnoticed.
        const areNumbers = words(numbers).every((word) => TIME_TO_LIVE.test(word));
        if (!areNumbers || after.length > 0) endNumbers(areNumbers);
        return;
      }
      if (text === "") return;
      if (text.startsWith("$")) return readDirective(text);
      const fields = words(text);
      let next = 0;
      if (!/^\s/.test(raw)) owner = names.absolute(fields[next++]!);
      while (TIME_TO_LIVE.test(fields[next] ?? "") || CLASS.test(fields[next] ?? "")) next++;
      const [type = "", ...data] = fields.slice(next);
      readRecord(type.toUpperCase(), data, text);
    },
    isOpen: () => open !== null,
    end: () => endNumbers(false),
    lastLine: () => (sawOther && !isWholeTarget(lastTarget) ? "cut" : "whole"),
  };

  /** Reads a directive. `$INCLUDE` and `$GENERATE` stand for records that cannot be read here. */
  function readDirective(text: string): void {
    const [, name] = /^\$ORIGIN\s+(\S+)$/i.exec(text) ?? [];
    if (name !== undefined) names.setOrigin(name);
    else if (!/^\$TTL\s/i.test(text)) output.refuse("record-unknown", text);
  }

  function readRecord(type: string, [data = "", ...more]: readonly string[], text: string) {
    if (type === "SOA") {
      names.startZone(owner);
      if (text.includes("(") && !text.includes(")")) open = { start: text, lines: 1 };
    }
    const isOfZone = type === "SOA" || (names.isZone(owner) && type !== "CNAME");
    if (isOfZone || SIGNATURES.has(type)) return;
    const name = names.relative(owner);
    if (name === null) return output.refuse("name-absolute", text);
    if (OTHER_TRIGGER.test(name)) return output.notApplicable(text);
    const problem = more.length > 0 ? "record-unknown" : actionProblem(type, data.toLowerCase());
    lastTarget = data;
    if (problem !== null) {
      sawOther = true;
      output.refuse(problem, text);
    }
    // The names of a zone are bytes, and resolvers ask for names in ASCII.
    else if (/[^\0-\x7f]/.test(name)) output.refuse("host-character", name);
    else output.entry(name.startsWith("*.") ? name.slice(2) : name, "host");
  }
}

/** Resolves the names of a zone. Absolute names end in a dot, and the origin is appended to all others. */
function zoneNames() {
  /** The origin, and the name of the zone, with a dot at the end; null until a line gives it. */
  let origin: string | null = null;
  let zone: string | null = null;

  /** The absolute form of a name; the name itself if the origin is not known yet. */
  function absolute(name: string): string {
    if (name.endsWith(".")) return name.toLowerCase();
    if (origin === null) return name;
    if (name === "@") return origin;
    return `${name.toLowerCase()}.${origin === "." ? "" : origin}`;
  }

  return {
    absolute,
    setOrigin(name: string): void {
      origin = origin === null ? `${name.replace(/\.$/, "").toLowerCase()}.` : absolute(name);
      if (zone === null && origin !== ".") zone = origin;
    },
    /** Starts the zone of an SOA record. */
    startZone(owner: string): void {
      if (owner.endsWith(".")) zone = owner;
      origin ??= zone;
    },
    /** Whether an owner is the zone itself. Its records are no policies. */
    isZone: (owner: string): boolean => owner === "@" || owner === zone,
    /** An owner without the name of the zone; null for a name outside the zone. */
    relative(owner: string): string | null {
      if (!owner.endsWith(".")) return owner;
      const end = `.${zone}`;
      return zone !== null && owner.endsWith(end) ? owner.slice(0, -end.length) : null;
    },
  };
}

function actionProblem(type: string, data: string) {
  if (type === "A" || type === "AAAA") {
    return isBlockingAddress(data) ? null : ("address-not-blocking" as const);
  }
  if (type !== "CNAME") return "record-unknown" as const;
  if (BLOCKING_TARGETS.has(data)) return null;
  // Over TCP, clients get the usual answer.
  const isException = /^rpz-(?:passthru|tcp-only)\.?$/.test(data);
  return isException ? ("exception" as const) : ("redirect" as const);
}
