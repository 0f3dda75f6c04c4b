/*
 * Rules for the meaning of the other fields of a record. A table of verdicts may also contain allowed sites, removed
 * entries and file hashes.
 */

/** Why a record is not an entry. */
export type RecordMeaning = "exception" | "verdict-unclear" | "not-applicable";

const VERDICT =
  /^(?:action|op|operation|event|change|policy|permission|verdict|prediction|outcome|assessment|disposition|decision|classification|class|default|list|list_?(?:type|name)|target_?list|type|kind|category|status|state|label|labels|tags?|result|mode|rule|reputation|rating|threat|comments?|notes?|remarks?|reason|urteil|bewertung|einstufung|ergebnis|kategorie|typ|aktion|art|veredicto|verdetto|estado|stato|statut|état|categor[ií]a|catégorie|tipo|acci[oó]n|azione|ação|resultado|risultato|résultat|bemerkung|observaci[oó]n(?:es)?|commentaire|comentario|вердикт|статус|категория|тип|действие|状态|狀態|類別|类别|类型|結果|结果|分類|分类|判定|種類)$/i;
/** Compound names of fields with a verdict: `final_verdict`, `CLASS_LABEL`, `url_type`, `threatLevel`. */
const COMPOUND_VERDICT =
  /^(?:\w+[-_ ](?:verdict|classification|class|labels?|category|category[-_ ]name|assessment|prediction|disposition|decision|list|list[-_ ](?:type|name))|(?:url|site|domain|host)[-_ ]type(?:[-_ ]from)?|(?:threat|risk)(?:[-_ ](?:level|rating|class))?|ground[-_ ]truth)$/i;
const LONGEST_VERDICT = 200;
const ALLOWED =
  /^(?:white(?:[-_ ]?list(?:ed)?)?|[\w.-]*[._-](?:white|allow)[-_]?list|(?:(?:exact|regexp?|wildcard)[-_ ])?allow(?:ed|[-_ ]?list(?:ed)?)?|accept(?:ed)?|pass|permit(?:ted)?|exceptions?|exempt(?:ed)?|excluded?|ignored?|benign|clean|(?:known[-_ ])?good|safe|trusted|harmless|legit(?:imate)?|false[-_ ]?positives?(?:\W.*)?|fp|direct|bypass(?:ed)?|unblock(?:ed)?|ham|no[-_ ]risk|no[nt][-_ ]?(?:an? )?(?:phish(?:ing)?|malicious|malware|spam|threat|block(?:ed)?)|(?:do not|don't|never)[-_ ]block|passthru|erlaubt|zugelassen|zulassen|freigegeben|freigeben|entsperrt|nicht[-_ ](?:(?:ge)?sperr(?:t|en)|blockier(?:t|en))|non?[-_ ](?:bloqu[ée]e?|bloquead[oa]|bloccat[oa])|sicher|unbedenklich|gutartig|harmlos|vertrauensw[üu]rdig|ausnahme|autoris[ée]e?|s[ûu]re?|l[ée]gitime|inoffensi(?:f|ve)|b[ée]nigne?|fiable|permitid[oa]|segur[oa]|leg[ií]tim[oa]|benign[oa]|confi[aá](?:ble|vel)|inofensiv[oa]|consentit[oa]|sicur[oa]|legittim[oa]|affidabile|toegestaan|veilig|dozwolon[ye]|bezpieczn[yae]|разреш[её]н[оа]?|безопасн(?:о|ый|ая)|安全|允许|允許|許可|白名单|白名單|正常)$/i;
/** Names of fields that say whether an entry is allowed. */
const IS_ALLOWED =
  /^(?:(?:is|in|on)[-_ ]?)?(?:white[-_ ]?list(?:ed)?|allow(?:[-_ ]?list)?(?:ed)?|false[-_ ]?positive|fp|safe|benign|trusted|legit(?:imate)?|good|ham|erlaubt|zugelassen|freigegeben|ausnahme|autoris[ée]e?|permitid[oa]|consentit[oa]|permit(?:ted)?|exception|exclude[ds]?|exempt(?:ed)?|bypass(?:ed)?|unblock(?:ed)?|ignored?)$/i;
const IS_LISTED =
  /^(?:(?:is[-_ ]?)?(?:enabled|active|block(?:ed)?|gesperrt|blockiert|bloqu[ée]e?|bloquead[oa]|bloccat[oa]|deny|denied|bad|malicious|phish(?:ing)?|scam|spam|listed|verified|confirmed)|to_ids)$/i;
const REMOVED =
  /^(?:(?:is[-_ ]?)?(?:deleted?|expired|removed|removal|revoked|delisted|disabled|suppressed)|(?:deleted?|deletion|removed?|removal|revoked|delist(?:ed|ing)?)[-_ ]?(?:date|at|on|time)|date[-_ ]?(?:deleted|removed))$/i;
/** Values of a status that say that an entry is no longer active. */
const SWITCHED_OFF = /^(?:disabled|off|delisted|revoked|expired)$/i;
/** Names of fields with the last day on which an entry counts. "Expiration date" may be that of a domain's registration. */
const LAST_DAY =
  /^(?:valid[-_ ]?(?:until|to)|expires(?:[-_ ]?(?:at|on|date|time))?|expiration(?:[-_ ]?time)?)$/i;
/** Matches an ISO date, perhaps with a time. */
const DATE = /^\d{4}-\d{2}-\d{2}(?!\d)/;
/** Names of fields with a change to an entry or an action on it. */
const ACTION =
  /^(?:action|op|operation|event|change|type|policy|disposition|mode|aktion|acci[oó]n|azione|ação)$/i;
/** Values of an action that remove an entry from the list. */
const TAKEN_BACK = /^(?:del(?:eted?|etion)?|remov(?:ed?|al)|unlist(?:ed)?|delist(?:ed)?)$/i;
const POLICY = /^(?:action|policy|disposition|mode|aktion|acci[oó]n|azione|ação)$/i;
/** Values of a policy that only monitors an entry. */
const WATCHED = /^(?:(?:monitor(?:ed)?|log|detect|alert)(?:[-_ ]?only)?|audit|no[-_ ]?action)$/i;
/** Values that say that the verdict is not known. */
const UNDECIDED =
  /^(?:unknown|unrated|undetermined|undecided|unclassified|pending|not[-_ ](?:rated|analy[sz]ed))$/i;
const STATUS = /^(?:status|state|mode)$/i;
const LONGEST_TAGS = 1000;
const TAGS = /^(?:tags?|labels)$/i;
/** Names of fields for which "none" is a verdict. */
const THREAT =
  /^(?:(?:threat|risk)(?:[-_ ]?(?:type|level|rating))?|verdict|detections?|classification|malware)$/i;
const NO_THREAT =
  /^(?:none|no|no[-_ ](?:threats?|detections?)(?:[-_ ](?:found|detected))?|undetected|not[-_ ]detected)$/i;
/**
 * Names of fields whose numbers are ambiguous verdicts: some published data sets use 1 for phishing, and others use it
 * for legitimate sites.
 */
const NUMBERED = /^(?:(?:\w+[-_ ])?(?:labels?|class|verdict)|target|result)$/i;
const NUMBER = /^-?[01](?:\.0+)?$/;
/** Names of fields with a score or a number of detections. An entry with 0 may have been found harmless. */
const SCORE =
  /^(?:(?:(?:risk|threat|abuse|fraud|malware|malicious|phish(?:ing)?|vt|virustotal)[-_ ]?)?score|(?:vt[-_ ]?)?(?:detections?|positives)(?:[-_ ]?(?:count|ratio))?)$/i;
const NO_SCORE = /^0(?:\.0+)?(?:\s*\/\s*\d+)?$/;
const TYPE = /^(?:(?:ioc|indicator|observable)[-_ ]?)?type$/i;
/** Columns that may contain indicators of any type. */
const OF_ANY_TYPE = /^(?:ioc|ioc_?value|indicator|observable|value)$/i;
const OTHER_TYPE =
  /^(?:(?:file)?[-_ ]?(?:hash[-_ ]?)?(?:md5|sha-?1|sha-?2|sha-?224|sha-?256|sha-?384|sha-?512|sha3.*|ssdeep|imphash|tlsh|pehash)(?:[-_ ]?hash)?|filehash.*|hash(?:es)?|file(?:[-_ ]?(?:name|path))?|e-?mail.*|mutex|registry.*|cve|yara|ja3.*|btc|bitcoin.*|asn?)$/i;
const YES = /^(?:1|true|yes|y|t|on|x|✓|✔|✅|☑|ja|j|oui|s[ií]|sim|да|是)$/i;
const NO = /^(?:0|false|no|n|f|off|✗|✘|❌|nein|non|n[ãa]o|не|нет|否)$/i;
const NOTHING = /^(?:|-|null|none|nil|n\/a|na|never|\\n|0000-00-00.*)$/i;

/** A field of Pi-hole's lists, in which types are numbers: 0 and 2 are exceptions. */
const PI_HOLE = /^date_added$/i;
const PI_HOLE_EXCEPTION = /^[02]$/;

/** A field of dnstwist, and its value for the domain whose imitations are listed. */
const DNSTWIST = /^fuzzer$/i;
const IMITATED = /^\*?original\*?$/i;

/** Names of objects that contain verdicts, besides those of fields with a verdict. */
const NESTED = /^(?:verdicts|overall|analysis|attributes|meta(?:data)?)$/i;

/** A compound name with "_" between its words: `threat_Level` for `threatLevel`. */
export function separated(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1_$2");
}

function isVerdict(name: string): boolean {
  return VERDICT.test(name) || isCompoundVerdict(name);
}

function isCompoundVerdict(name: string): boolean {
  return name.length < LONGEST_NAME && COMPOUND_VERDICT.test(separated(name));
}

/** Whether a value means that an entry is allowed, perhaps with a remark, as in `allowed (by an administrator)`. */
function saysAllowed(value: string): boolean {
  if (ALLOWED.test(value)) return true;
  if (!value.endsWith(")") || value.length > LONGEST_VERDICT) return false;
  return ALLOWED.test(value.slice(0, Math.max(0, value.lastIndexOf("("))).trimEnd());
}

/** Whether an object in a field of this name may contain a verdict on the entry. */
export function isNested(name: string): boolean {
  return name.length < LONGEST_NAME && (isVerdict(name) || NESTED.test(name));
}

/** Whether {@link meaningOfRecord} depends on a field of this name. */
export function hasMeaning(name: string): boolean {
  const known = NAMES.get(name);
  if (known !== undefined) return known;
  const found =
    isCompoundVerdict(name) ||
    [
      VERDICT,
      NESTED,
      THREAT,
      NUMBERED,
      SCORE,
      IS_ALLOWED,
      IS_LISTED,
      REMOVED,
      LAST_DAY,
      TYPE,
      PI_HOLE,
      DNSTWIST,
    ].some((names) => names.test(name));
  if (NAMES.size < MOST_NAMES && name.length < LONGEST_NAME) NAMES.set(name, found);
  return found;
}

/** Millions of records have the same few names, so each answer is kept. */
const NAMES = new Map<string, boolean>();
const MOST_NAMES = 1000;
const LONGEST_NAME = 50;

/** Whether the text of a field can only mean that something is allowed, whatever the name of the field. */
export function isAllowed(text: string): boolean {
  return text.length < LONGEST_NAME && ALLOWED.test(text);
}

/** Whether a value is a date before today. */
function isOver(value: string): boolean {
  const today = new Date().toISOString().slice(0, "2026-01-01".length);
  return DATE.test(value) && !NOTHING.test(value) && value.slice(0, today.length) < today;
}

/** A value with one space in place of each gap, which spreadsheets may write as no-break or zero-width characters. */
function withSpaces(value: string): string {
  return value.replace(/[\s\u200b-\u200d\u2060]+/g, " ").trim();
}

/** The meaning of a field for the entry in the column `column`; null when it has none. */
function meaningOf(name: string, value: string, column: string): RecordMeaning | null {
  if (name.toLowerCase() === column.toLowerCase()) return null;
  // Values are tested first, because they rarely match.
  if (saysAllowed(value) && isVerdict(name)) return "exception";
  if (IMITATED.test(value) && DNSTWIST.test(name)) return "exception";
  if (TAGS.test(name) && value.length < LONGEST_TAGS) {
    if (value.split(/[,;|]/).some((tag) => ALLOWED.test(tag.trim()))) return "exception";
  }
  if (ACTION.test(name) && TAKEN_BACK.test(value)) return "not-applicable";
  if (POLICY.test(name) && WATCHED.test(value)) return "exception";
  if (/^verdict$/i.test(name) && UNDECIDED.test(value)) return "not-applicable";
  if (STATUS.test(name) && SWITCHED_OFF.test(value)) return "not-applicable";
  if (NO_THREAT.test(value) && THREAT.test(separated(name))) return "exception";
  if (NUMBER.test(value) && NUMBERED.test(separated(name))) return "verdict-unclear";
  if (SCORE.test(name) && NO_SCORE.test(value)) return "verdict-unclear";
  if (REMOVED.test(name)) return NO.test(value) || NOTHING.test(value) ? null : "not-applicable";
  if (LAST_DAY.test(name)) return isOver(value) ? "not-applicable" : null;
  if (IS_ALLOWED.test(name)) return YES.test(value) ? "exception" : null;
  if (IS_LISTED.test(name)) return NO.test(value) ? "not-applicable" : null;
  const isOther = TYPE.test(name) && OF_ANY_TYPE.test(column) && OTHER_TYPE.test(value);
  return isOther ? "not-applicable" : null;
}

/** Names of fields whose values are the verdict itself, as in `{ "name": "whitelist" }`. */
const ITSELF = /^(?:name|value|text|title)$/i;

/** The fields of an object in a field `name`. */
function fieldsInside(name: string, object: object): readonly (readonly [string, unknown])[] {
  return Object.entries(object).map(([inner, value]) => [ITSELF.test(inner) ? name : inner, value]);
}

/** Objects that are nested more deeply are ignored. */
const MAX_DEPTH = 3;

/** The meaning of the fields of a record for its entry. An exception takes precedence over anything else. */
export function meaningOfRecord(
  fields: Iterable<readonly [name: string, value: unknown]>,
  column: string,
  depth = 0,
): RecordMeaning | null {
  let meaning: RecordMeaning | null = null;
  let isPiHole = false;
  let mayAllow = false;
  for (const [name, value] of fields) {
    if (!hasMeaning(name)) continue;
    isPiHole ||= PI_HOLE.test(name);
    mayAllow ||= name.toLowerCase() === "type" && PI_HOLE_EXCEPTION.test(String(value));
    for (const each of Array.isArray(value) ? value : [value]) {
      const isObject = typeof each === "object" && each !== null;
      if (isObject && (depth === MAX_DEPTH || !isNested(name))) continue;
      const found = isObject
        ? meaningOfRecord(fieldsInside(name, each), column, depth + 1)
        : meaningOf(name, withSpaces(String(each ?? "")), column);
      if (found === "exception") return found;
      meaning ??= found;
    }
  }
  return isPiHole && mayAllow ? "exception" : meaning;
}
