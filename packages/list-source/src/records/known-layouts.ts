import { parseWhere, type Where } from "./where.ts";

/** A published layout, whose columns are known. */
export interface KnownLayout {
  /** The names of the columns of a table, or of the members of each record, in any order in JSON. */
  readonly names: readonly string[];
  /** The name of the column with the entries; in a JSON document, the path. */
  readonly column: string;
  /** The rows that are entries. */
  readonly where: Where;
}

function layout(
  names: string,
  column: string,
  where: string | readonly string[] = "all",
): KnownLayout {
  return { names: names.split(","), column, where: parseWhere(where)! };
}

const URLHAUS = "dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter";
const THREATFOX_JSON =
  "ioc_value,ioc_type,threat_type,malware,malware_alias,malware_printable,first_seen_utc,last_seen_utc,confidence_level";
const THREATFOX_END = "reference,tags,anonymous,reporter";
/** ThreatFox also lists hashes of files, and addresses with ports. */
const OF_SITES = "ioc_type=url,domain,ip:port";
const PI_HOLE = "id,type,domain,enabled,date_added";
const OF_BLOCKED = ["type=1", "enabled=1"];
const PHISHTANK = "phish_id,url,phish_detail_url,submission_time,verified,verification_time,online";

/** Layouts of tables, and of records that are JSON lines. */
const TABLES: readonly KnownLayout[] = [
  // URLhaus
  layout(`id,${URLHAUS}`, "url"),
  // ThreatFox, without and with the column "is_compromised"
  ...["", "is_compromised,"].map((more) =>
    layout(
      `first_seen_utc,ioc_id,ioc_value,ioc_type,threat_type,fk_malware,malware_alias,malware_printable,last_seen_utc,confidence_level,${more}${THREATFOX_END}`,
      "ioc_value",
      OF_SITES,
    ),
  ),
  // PhishTank
  layout(`${PHISHTANK},target`, "url", "verified=yes"),
  // CERT Polska, which keeps deleted domains with the date of the deletion
  layout(
    "PozycjaRejestru,AdresDomeny,DataWpisu,DataWykreslenia",
    "AdresDomeny",
    "DataWykreslenia=",
  ),
  layout("RegisterPositionId,DomainAddress,InsertDate,DeleteDate", "DomainAddress", "DeleteDate="),
  // Pi-hole, without and with all columns of its database; other types are exceptions or regular expressions
  ...["", ",date_modified,comment"].map((more) =>
    layout(`${PI_HOLE}${more}`, "domain", OF_BLOCKED),
  ),
  // AlienVault OTX
  layout(
    "Indicator type,Indicator,Description",
    "Indicator",
    "Indicator type=URL,URI,domain,hostname",
  ),
];

/** Layouts of JSON documents. */
const DOCUMENTS: readonly KnownLayout[] = [
  // URLhaus
  layout(URLHAUS, "*[].url"),
  // ThreatFox
  ...["", "is_compromised,"].map((more) =>
    layout(`${THREATFOX_JSON},${more}${THREATFOX_END}`, "*[].ioc_value", OF_SITES),
  ),
  // PhishTank
  layout(`${PHISHTANK},details,target`, "[].url", "verified=yes"),
  // CERT Polska
  layout(
    "RegisterPositionId,DomainAddress,InsertDate,DeleteDate",
    "[].DomainAddress",
    "DeleteDate=",
  ),
  // Pi-hole
  ...["", ",date_modified,comment"].map((more) =>
    layout(`${PI_HOLE}${more}`, "[].domain", OF_BLOCKED),
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
  return TABLES.find(({ names }) => names.join() === header.join()) ?? null;
}

/** The layout of a JSON document; `null` when it is not known. All of its records must have exactly the known members. */
export function knownDocument(recordsOf: (path: string) => Iterable<unknown>): KnownLayout | null {
  return (
    DOCUMENTS.find(({ names, column }) => {
      let found = 0;
      for (const record of recordsOf(column)) {
        const isKnown =
          typeof record === "object" &&
          record !== null &&
          Object.keys(record).length === names.length &&
          names.every((name) => Object.hasOwn(record, name));
        if (!isKnown) return false;
        found++;
      }
      return found > 0;
    }) ?? null
  );
}
