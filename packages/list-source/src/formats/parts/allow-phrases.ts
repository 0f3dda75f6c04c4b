/*
 * Comments may say in a few words that the names after them are allowed: `# Company whitelist`, `# Domains that must
 * not be blocked`. In block lists, comments may only mention an allow list: `# Whitelist requests: …`, `# minus
 * whitelist`.
 */

/** Names of allow lists and of their contents, also at the end of a word such as `Firmenwhitelist`. */
const ALLOW_LIST = new RegExp(
  [
    "(?<!(?:un|de|non|not|nicht)[-_ ]?)(?:(?:white|allow)[-_ ]?|(?:safe|good|pass)[-_]?)list(?:ed|s|e|en)?(?![a-z])",
    "wei(?:ss|ß)en?[-_ ]?listen?(?![a-z])|(?:positiv|freigabe|erlaubnis)listen?(?![a-z])",
    "listes? blanches?|listas? blancas?|listas? brancas?|list[ae] bianc(?:a|he)|witte lijst|biała lista|vit lista|bela lista",
    "бел(?:ый|ого) спис(?:ок|ка)|白名[单單]|ホワイトリスト|許可リスト|화이트리스트|허용 ?목록",
    "\\b(?:exceptions|exclusions|ausnahmen|excepciones|eccezioni|uitzonderingen|wyjątki)\\b|exce[çc][õo]es|исключения",
    "\\b(?:allowed|trusted|permitted|approved|excluded|exempt(?:ed)?)\\s+(?:domains?|hosts?|urls?|(?:web)?sites?|names?|entries|addresses)\\b",
    "\\b(?:erlaubte|freigegebene|zugelassene|vertrauenswürdige|sichere)n?\\s+(?:domains?|hosts?|urls?|adressen|seiten|namen)\\b",
    "\\b(?:domaines?|sites?|adresses?|h[ôo]tes?)\\s+(?:autoris[ée]e?s?|exclue?s?)",
    "\\b(?:dominios?|sitios?|dom[ií]nios?|sites?|domini|siti)\\s+(?:permitidos?|de confianza|confi[áa]ve(?:l|is)|consentiti|attendibili)\\b",
  ].join("|"),
  "iu",
);
/** Phrases that say that something must not be blocked, anywhere in a comment. */
const NEVER_BLOCKED = new RegExp(
  [
    "\\b(?:must|should|shall|may|do|to)(?:\\s*n[o'’]?t|\\s+never)\\s+(?:ever\\s+)?(?:be|get)\\s+(?:ever\\s+)?(?:block|blacklist|bann|filter|list)e?d\\b",
    "\\b(?:never|not)\\s+(?:to\\s+)?(?:be|get)\\s+(?:block|blacklist|bann|filter)e?d\\b",
    "\\b(?:nicht|nie|niemals|keinesfalls)\\s+(?:(?:ge)?sperr|(?:ge)?block|(?:ge)?filter)\\p{L}*",
    "\\bne\\s+(?:(?:pas|jamais)\\s+bloquer|(?:doi(?:ven)?t|devraient)\\s+(?:pas|jamais)\\s+être\\s+bloqu)",
    "\\b(?:no|nunca|jam[aá]s)\\s+(?:se\\s+)?(?:deben?\\s+)?(?:ser\\s+)?bloque(?:ar|ad)",
    "\\b(?:não|nao)\\s+(?:devem?\\s+)?(?:ser\\s+)?bloque(?:ar|ad)",
    "\\b(?:non|mai)\\s+(?:(?:devono|deve|vanno|va)\\s+)?(?:essere\\s+)?blocca(?:re|t)",
    "\\b(?:niet|nooit)\\s+(?:ge)?blok\\p{L}*",
    "(?:не|никогда не)\\s+(?:блокир|должн\\p{L}+\\s+блокир)\\p{L}*",
    "(?:不要|不得|请勿|請勿|禁止|不)(?:屏蔽|拦截|攔截|封锁|封鎖|阻止)|ブロックし(?:ない|てはいけない)|ブロック禁止|차단하지",
  ].join("|"),
  "iu",
);
/** Orders not to block something, at the end of a comment. `Do not block what you need` does not match. */
const DO_NOT_BLOCK =
  /\b(?:never|do\s+not|don['’]?t|(?:must|should|shall|may)(?:\s+not|\s+never|n['’]t))\s+(?:ever\s+)?(?:block|blacklist|ban)(?:\s+(?:them|these|this|those|it|ever|please|here))*\W*$/iu;

/**
 * Words that show that a comment only mentions allow lists, because it is about removed names, about requests or about
 * how the list was made.
 */
const TALK = new RegExp(
  [
    ":/|\\S@\\S|(?:^|[^=])=\\s*\\w",
    "\\b(?:without|minus|less|not|no|none|non|nor|empty|except(?! list)|remov\\w*|deduplicated|requests?|requested|reports?|reported|reporting|see|visit|" +
      "if|when|whether|unless|because|please|contact|submit\\w*|ask|open(?:ing)?|issues?|pull|apply|applies|applied|against|checked|compared|subtract\\w*|" +
      "filtered|cleaned|cleared|using|uses?|used to|exclud(?:es|ing)|skip\\w*|ignor\\w*|requires?|generated|compiled|included?|includes|contains|how|why|want|need|needs|needed|can|could|would|will|" +
      "you\\s+\\w+|your|some|count|number of|total|statistics|stats|supports?|thanks|credits?|sources?|available|wrong|broken|instead|also|" +
      "are|is|was|were|has|have|had|been|being)\\b",
    "\\b(?:ohne|außer|abzüglich|nicht|keine?|kein|bitte|siehe|anfragen?|antrag|anträge|wenn|falls|entfernt\\w*)\\b",
    "\\b(?:sans|hors|moins|sauf|pas|voir|demandes?|signale[rz]|retir\\p{L}*|sin|menos|excepto|solicitudes|v[ée]ase|sem|exceto|pedidos|senza|tranne|meno|richieste|vedi|zonder|geen|bez|oprócz)\\b",
    "(?:без|кроме|не|см)(?!\\p{L})|[不除去勿请請]|申[请請]|除外",
    ":\\s*[\\d.,]+\\s*$",
  ].join("|"),
  "iu",
);
/** Names of block lists and of their contents. */
const BLOCK_LIST =
  /\b(?:block|blocks|blocked|denied|banned)\b|(?:block|black|deny|ban)[-_ ]?list|sperrliste|schwarze liste|negativliste|liste noire|lista neg?ra|ч[её]рный список|黑名|ブラックリスト|블랙리스트/iu;
const THREATS =
  /\b(?:phish\w*|malware|malicious|scam\w*|fraud\w*|spam\w*|threats?|abuse|track\w*|ads?|advert\w*|bad)\s+(?:\w+\s+)?(?:domains?|hosts?|urls?|(?:web)?sites?|names?|entries|lists?|addresses)\b/iu;
/**
 * Text before or after the name of an allow list in sentences that announce nothing: `to whitelist`, `with a
 * whitelist`, `whitelist good.example`.
 */
const TO = /\b(?:to|with|by|via|from|through)\s+(?:(?:an?|the|our|this|your)\s+)?$/iu;
const WITH_HOST = /^\s+(?:[\w-]+\.)+[a-z]{2,}/iu;
const MOST_WORDS = 12;

/** Whether a comment of at most a few hundred characters says that the names after it are allowed. */
export function announcesAllowed(comment: string): boolean {
  const found =
    NEVER_BLOCKED.exec(comment) ?? DO_NOT_BLOCK.exec(comment) ?? ALLOW_LIST.exec(comment);
  if (found === null) return false;
  const before = comment.slice(0, found.index);
  const after = comment.slice(found.index + found[0].length);
  if (TO.test(before) || WITH_HOST.test(after)) return false;
  // "Domains that are whitelisted" is a heading, but "they are whitelisted, too" is not.
  const rest = `${before.replace(/\b(?:that|which)\s+(?:are|is)\s*$/iu, "")} ${after}`;
  if (rest.split(/\s+/u).length > MOST_WORDS) return false;
  return !TALK.test(rest) && !BLOCK_LIST.test(rest) && !THREATS.test(before);
}
