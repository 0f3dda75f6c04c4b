import { parseWhere, type Where } from "./where.ts";

/** A published layout, whose columns are known. */
export interface KnownLayout {
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

/** The layout of a JSON document; `null` when it is not known. All of its records must have exactly the known members. */
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
