import { shorten } from "../../shorten.ts";
import type { Output } from "../format.ts";
import { isUrlName } from "./columns.ts";
import { separated } from "./record-verdicts.ts";

/*
 * Rules for the other fields of a record whose column contains only a host. The host may be that of the imitated brand,
 * and the dangerous URL may be in a column with an unusual name. Or another column may have the rest of the URL.
 */

/** Matches a host without anything after it, which may be only a part of the dangerous URL. */
const HOST_ALONE = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s/?#]+\/?$/i;
const URL_START = /^(?:[a-z][a-z0-9+.-]*:)?\/\/\S/i;
/** A URL without its scheme. */
const HOST_AND_PATH = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?\/\S/i;
const HOST = /^(?:[\w-]+\.)+[a-z]{2,}\.?$/i;

/** Names of fields with a URL about the entry. Such a URL is usually that of the publisher, or of a report. */
const ABOUT =
  /(?:^|[-_. ])(?:references?|refs?|(?:data_?)?sources?|reports?|reporters?|reported_by|details?|feeds?|lists?|tweets?|posts?|screenshots?|screens|images?|img|logos?|icons?|favicons?|blogs?|articles?|write_?ups?|evidence|licen[cs]e|credits?|permalink|virustotal|vt|urlscan|urlhaus|threatfox|whois|rdap|registrar|malpedia|archives?|wayback|pdf|documents?|decisions?|orders?|cases?|comments?|notes?|remarks?|descriptions?|bemerkung(?:en)?|beschreibung|more|info|meta|docs?|documentation|wiki|publishers?|authors?|contacts?|tickets?|issues?|commits?|quellen?|berichte?|referenz(?:en)?|verweise?|bildschirmfoto|r[ée]f[ée]rences?|rapport|capture|fuentes?|referencias?|informes?|captura|fontes?|refer[êe]ncias?|relat[óo]rio|font[ei]|riferiment[oi]|rapporto|bron|источник|ссылка|来源|來源|参考|參考|出典)(?:[-_ ]?(?:urls?|uris?|links?|href|page))?$/i;
/** Names of fields with the rest of a URL. */
const PATH =
  /^(?:(?:(?:ur[li]|http|request|page)[-_ ]?)?paths?(?:[-_ ]?(?:and[-_ ]?)?query)?|(?:ur[li]|request|http)[-_ ]?query|query[-_ ]?string|(?:url[-_ ]?)?pfad|chemin|ruta|caminho|percorso|pad|ścieżka|путь|路径|路徑|パス|경로)$/i;
/** Names of fields with file paths or network prefix lengths, which are not parts of a URL. */
const OTHER_PATH =
  /file|folder|director|disk|unix|registry|process|command|mask|cidr|prefix|datei|ordner|fichier|archivo/i;
/** Words in names of fields with dangerous hosts or URLs, such as `phishing_domain`. */
const DANGEROUS =
  /(?:phish|malic|malware|evil|bad|scam|fake|fraud|rogue|spoof(?!ed)|look_?alike|squat|attack|clone|imit|falsch|betr[üu]g|schad|faux|fals[oa]|malin|malvad|мошен|фиш|钓鱼|釣魚|恶意|惡意)/i;
const OF_HOSTS =
  /(?:domain|host|site|fqdn|url|link|address|adresse|seite|page|dom[ií]ni[oe]?|siti?o?|indirizzo|домен|сайт|адрес|域名|网址|網址|网站|網站)/i;
const OF_VICTIM = /target|brand|victim|legit|original|real|impersonated|ziel|marke|cible|marca/i;
const NOTHING = /^(?:|-|\/|\*|null|none|nil|n\/a|na|nan|\\n)$/i;
/** Matches the beginning of a path, but not a network prefix length, such as `/24`. */
const PATH_START = /^\/(?!\d{1,3}$)[^/]/;

/** The kind of a field, according to its name. */
type Kind = "about" | "path" | "other-path" | "dangerous" | "any";

function kindOf(name: string): Kind {
  const known = KINDS.get(name);
  if (known !== undefined) return known;
  const text = separated(name.slice(0, LONGEST_NAME));
  let kind: Kind = "any";
  if (PATH.test(text)) kind = "path";
  else if (ABOUT.test(text)) kind = "about";
  else if (OTHER_PATH.test(text)) kind = "other-path";
  else if (DANGEROUS.test(text) && OF_HOSTS.test(text) && !OF_VICTIM.test(text)) kind = "dangerous";
  if (KINDS.size < MOST_NAMES && name.length <= LONGEST_NAME) KINDS.set(name, kind);
  return kind;
}

/** Millions of records have the same few names, so each answer is kept. */
const KINDS = new Map<string, Kind>();
const MOST_NAMES = 1000;
const LONGEST_NAME = 100;

/** Whether objects in a field of this name are about the entry, such as its references. */
export function isAbout(name: string): boolean {
  return kindOf(name) === "about" || /^_?links?$/i.test(name);
}

/** Whether a text is a host alone, so that other fields may say more. */
export function isHostAlone(text: string): boolean {
  if (!text.includes("/")) return !text.includes("?") && !text.includes("#");
  return HOST_ALONE.test(text);
}

/**
 * A quick check for most fields: whether {@link otherField} depends on a field with this name and value.
 *
 * @param host the host in the column, or `null` if it is not known yet.
 */
export function mayMatter(name: string, value: string, host: string | null): boolean {
  if (value === "") return false;
  const kind = kindOf(name);
  if (kind === "path" || kind === "dangerous") return true;
  if (!value.includes("/")) return false;
  // URLs about an entry nearly always have other hosts.
  return kind !== "about" || host === null || value.includes(withoutWww(host));
}

/** How a field adds to the host of its record: with more of the host's URL, or with another host. */
type Says = "more" | "path" | "other" | null;

const withoutWww = (host: string) => (host.startsWith("www.") ? host.slice(4) : host);

/** Whether two hosts may be of the same site. */
function isSameSite(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

function urlSays(host: string, text: string, urlOf: Output["urlOf"]): Says {
  const url = urlOf(text);
  if (url === null) return null;
  const other = withoutWww(url.host);
  if (!isSameSite(host, other)) return "other";
  const isHost = url.path === "/" && url.query === null && !text.includes("#") && host === other;
  return isHost ? null : "more";
}

function fieldSays(host: string, name: string, value: string, urlOf: Output["urlOf"]): Says {
  const kind = kindOf(name);
  const isUrl = URL_START.test(value) || (kind !== "path" && HOST_AND_PATH.test(value));
  if (isUrl) {
    const says = urlSays(host, value, urlOf);
    return says === "other" && kind === "about" ? null : says;
  }
  if (kind === "path") return NOTHING.test(value) ? null : "path";
  if (kind === "dangerous") {
    return HOST.test(value) && urlSays(host, value, urlOf) === "other" ? "other" : null;
  }
  return kind === "any" && PATH_START.test(value) ? "path" : null;
}

/** The field of a record that says more than the host in its column, or that leaves doubt about it. */
export interface OtherField {
  readonly index: number;
  readonly says: Exclude<Says, null>;
}

/**
 * Looks at the other fields of a record whose column contains only a host. A URL of this host is the best answer. If
 * there is none, a URL of another host, or the rest of a URL, leaves doubt. Returns `null` if the fields say nothing.
 *
 * @param own the index of the column.
 */
export function otherField(
  names: readonly string[],
  values: readonly string[],
  own: number,
  urlOf: Output["urlOf"],
): OtherField | null {
  let host: string | null = null;
  let doubt: OtherField | null = null;
  // If the column contains URLs, and has the URL of a site, the record is about that site.
  const isUrl = values[own]!.includes("://") && isUrlName(names[own]!);
  for (let index = 0; index < names.length; index++) {
    const value = values[index];
    if (index === own || value === undefined) continue;
    if (!mayMatter(names[index]!, value, values[own]!)) continue;
    if (host === null) {
      const url = urlOf(values[own]!);
      // Text that is not a URL is refused later.
      if (url === null) return null;
      host = withoutWww(url.host);
    }
    const says = fieldSays(host, names[index]!, value, urlOf);
    if (says === null || (isUrl && says !== "path")) continue;
    if (says === "more") return { index, says };
    if (doubt === null || says === "other") doubt = { index, says };
  }
  return doubt;
}

/** The reason for doubt about a record, in words. */
export function doubtText(column: string, name: string, value: string): string {
  const [own, other] = [column, name].map((each) => JSON.stringify(shorten(each)));
  return `${own} has a host alone, and ${other} has ${JSON.stringify(shorten(value))}`;
}
