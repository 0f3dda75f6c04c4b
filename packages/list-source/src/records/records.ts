import type { Output } from "../formats/format.ts";
import { ListSourceError, type RefusalCode } from "../problems.ts";
import { quoted } from "../text.ts";
import { parseWhere, tellingColumns, type Where } from "./where.ts";

/*
 * Tables and JSON have records. Which column or field has the entries, and which records are entries, are facts of a
 * known layout, or the publisher says them.
 */

/** Receives the records of a table or of JSON. */
export interface RecordReader {
  /**
   * Receives a record: its entry, and all its values, in the order of the columns.
   *
   * @param shown the beginning of the record, for messages.
   */
  row(entry: string, values: readonly (string | undefined)[], shown: string, lines?: number): void;
  refuse(code: RefusalCode, shown: string, lines?: number): void;
  /**
   * Ends the table.
   *
   * @throws ListSourceError `rows-unclear` when columns tell rows apart, and nobody said which rows are meant, or no
   * row has the column of a condition; `date-column-missing` when none has that of the dates.
   */
  end(): void;
}

/** The columns of a table, and the rows that are entries. */
interface RecordColumns {
  /** The names of the columns. More may be added while a table is read. */
  readonly names: readonly string[];
  /** The index of the column with the entries, if its value is among the values. */
  readonly own: number;
  /** `null` if nobody said which rows are entries. */
  readonly where: Where | null;
  /** The column with the dates of entries, by name or by number from 1. */
  readonly dateColumn: string | number | undefined;
  /** The maximum number of characters of entries that wait for the end of the table. */
  readonly maxCharacters: number;
}

const LONGEST_SHOWN = 100;

export function recordReader(
  output: Output,
  { names, own, where, dateColumn, maxCharacters }: RecordColumns,
): RecordReader {
  const telling = where === null ? tellingColumns(own) : null;
  /** What waits for the end of the table, and its lines. Usual entries are only texts, which saves memory. */
  const waiting: (string | { readonly report: () => void })[] = [];
  const numbers: number[] = [];
  let characters = 0;

  function add(text: string, code: RefusalCode | null, lines: number, date?: string) {
    const report = () =>
      code === null
        ? output.entry(text, "field", lines, undefined, date)
        : output.refuse(code, text, lines);
    if (telling === null) return report();
    waiting.push(code === null && lines === 1 && date === undefined ? text : { report });
    numbers.push(output.line());
    characters += text.length + (date?.length ?? 0);
    if (characters > maxCharacters) {
      throw new ListSourceError(
        "list-too-large",
        `a table with more than ${maxCharacters} characters of entries, whose rows may mean different things`,
        'the rows that are entries (where), or "all"',
      );
    }
  }

  let dateIndex = typeof dateColumn === "number" ? dateColumn - 1 : -1;
  function dateOf(values: readonly (string | undefined)[]): string | undefined {
    if (typeof dateColumn === "string" && dateIndex < 0) dateIndex = names.indexOf(dateColumn);
    return values[dateIndex]?.trim() || undefined;
  }

  const conditions = (where ?? []).map((condition) => ({ ...condition, index: -1 }));

  return {
    row(entry, values, shown, lines = 1) {
      for (const condition of conditions) {
        // A record may be the first to have a column.
        if (condition.index < 0) condition.index = names.indexOf(condition.column);
        const value = values[condition.index] ?? "";
        if (!condition.values.has(value)) return output.leaveOut(condition.column, value, shown);
      }
      const date = dateOf(values);
      // Dates do not say which rows are entries.
      telling?.add(
        date === undefined ? values : values.map((value, i) => (i === dateIndex ? "" : value)),
        entry,
      );
      if (entry === "") add(shown.slice(0, LONGEST_SHOWN), "field-empty", lines);
      else add(entry, null, lines, date);
    },
    refuse: (code, shown, lines = 1) => add(shown.slice(0, LONGEST_SHOWN), code, lines),
    end() {
      const missing = where?.find(({ column }) => !names.includes(column));
      if (missing !== undefined) {
        throw new ListSourceError(
          "rows-unclear",
          `a table without a column ${quoted(missing.column)}`,
          `a condition on one of its columns, such as ${names.slice(0, 10).map(quoted).join(", ")}`,
        );
      }
      if (typeof dateColumn === "string" && !names.includes(dateColumn)) {
        const known = names.slice(0, 10).map(quoted).join(", ");
        throw new ListSourceError(
          "date-column-missing",
          `a table without a column ${quoted(dateColumn)}`,
          `a column with dates, such as ${known}`,
        );
      }
      const problem = telling?.problem(names) ?? null;
      if (problem !== null) throw problem;
      const last = output.line();
      for (const [i, each] of waiting.entries()) {
        output.at(numbers[i]!);
        if (typeof each === "string") output.entry(each, "field");
        else each.report();
      }
      output.at(last);
    },
  };
}

/** A column, or a place in JSON, that may have the entries. */
export interface Candidate {
  /** The name or number of the column, or the path of the place. */
  readonly path: string;
  /** The number of its values; 0 if it is not known. */
  readonly count: number;
  /** One of the values. */
  readonly example: string;
}

const MOST_CANDIDATES = 10;
/**
 * The error for a source whose column with the entries has to be named.
 *
 * @param found what the source is.
 * @param what what to give as the column.
 */
export function columnUnknown(
  found: string,
  candidates: readonly Candidate[],
  what: string,
): ListSourceError {
  if (candidates.length === 0) {
    return new ListSourceError("column-missing", `${found}; it has no entries`);
  }
  const shown = candidates.slice(0, MOST_CANDIDATES).map(({ path, count, example }) => {
    const values = count === 1 ? "1 value" : `${count.toLocaleString("en")} values`;
    const facts = [
      ...(count === 0 ? [] : [values]),
      ...(example === "" ? [] : [`such as ${quoted(example)}`]),
    ];
    return `${quoted(path)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
  });
  const more = candidates.length - shown.length;
  const others = more > 0 ? `, and ${more.toLocaleString("en")} more` : "";
  return new ListSourceError(
    "column-missing",
    `${found}; it has ${shown.join(", ")}${others}`,
    what,
  );
}

/** A published layout, whose columns are known. */
interface KnownLayout {
  /** The names of the columns of a table, or of the members of each record, in any order in JSON. */
  readonly names: readonly string[];
  /** The path of the entries in a JSON document. */
  readonly path: string;
  /** The name of the column with the entries in a table; `null` for a document without records. */
  readonly column: string | null;
  /** The rows that are entries. */
  readonly where: Where;
}

function layout(
  names: string,
  path: string,
  where: string | readonly string[] = "all",
): KnownLayout {
  const column = /\[\]\.(.+)$/.exec(path)?.[1] ?? null;
  return { names: names.split(","), path, column, where: parseWhere(where)! };
}

const URLHAUS = "dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter";
const THREATFOX =
  "first_seen_utc,ioc_id,ioc_value,ioc_type,threat_type,fk_malware,malware_alias,malware_printable,last_seen_utc,confidence_level";
const THREATFOX_JSON =
  "ioc_value,ioc_type,threat_type,malware,malware_alias,malware_printable,first_seen_utc,last_seen_utc,confidence_level";
const THREATFOX_END = "reference,tags,anonymous,reporter";
/** ThreatFox also lists hashes of files, and addresses with ports. */
const OF_SITES = "ioc_type=url,domain,ip:port";
const PHISHTANK = "phish_id,url,phish_detail_url,submission_time,verified,verification_time,online";
const PI_HOLE = "id,type,domain,enabled,date_added";
/** Other types are exceptions or regular expressions. */
const OF_BLOCKED = ["type=1", "enabled=1"];

const LAYOUTS: readonly KnownLayout[] = [
  layout(`id,${URLHAUS}`, "[].url"),
  layout(URLHAUS, "*[].url"),
  // ThreatFox, without and with the column "is_compromised"
  ...["", "is_compromised,"].flatMap((more) => [
    layout(`${THREATFOX},${more}${THREATFOX_END}`, "[].ioc_value", OF_SITES),
    layout(`${THREATFOX_JSON},${more}${THREATFOX_END}`, "*[].ioc_value", OF_SITES),
  ]),
  layout(`${PHISHTANK},target`, "[].url", "verified=yes"),
  layout(`${PHISHTANK},details,target`, "[].url", "verified=yes"),
  // CERT Polska, which keeps deleted domains with the date of the deletion
  layout(
    "PozycjaRejestru,AdresDomeny,DataWpisu,DataWykreslenia",
    "[].AdresDomeny",
    "DataWykreslenia=",
  ),
  layout(
    "RegisterPositionId,DomainAddress,InsertDate,DeleteDate",
    "[].DomainAddress",
    "DeleteDate=",
  ),
  // Pi-hole, without and with all columns of its database
  layout(PI_HOLE, "[].domain", OF_BLOCKED),
  layout(`${PI_HOLE},date_modified,comment`, "[].domain", OF_BLOCKED),
  // AlienVault OTX
  layout(
    "Indicator type,Indicator,Description",
    "[].Indicator",
    "Indicator type=URL,URI,domain,hostname",
  ),
  // MetaMask eth-phishing-detect
  layout("version,tolerance,fuzzylist,whitelist,blacklist", "blacklist[]"),
  // polkadot-js/phishing
  layout("allow,deny", "deny[]"),
  // Little Snitch
  layout("description,name,denied-remote-domains", "denied-remote-domains[]"),
];

/** The layout of a table with this header; `null` when it is not known. */
export function knownTable(header: readonly string[]): KnownLayout | null {
  const isKnown = ({ names, column }: KnownLayout) =>
    column !== null && names.join() === header.join();
  return LAYOUTS.find(isKnown) ?? null;
}

/**
 * The layout of a JSON document; `null` when it is not known. All of its records must have exactly the known members.
 */
export function knownDocument(recordsOf: (path: string) => Iterable<unknown>): KnownLayout | null {
  const isKnown = ({ names, path }: KnownLayout) => {
    let found = 0;
    for (const record of recordsOf(path)) {
      const isRecord = typeof record === "object" && record !== null;
      if (!isRecord || Object.keys(record).length !== names.length) return false;
      if (!names.every((name) => Object.hasOwn(record, name))) return false;
      found++;
    }
    return found > 0;
  };
  return LAYOUTS.find(isKnown) ?? null;
}
