import { ListSourceError } from "../problems.ts";
import { setOf } from "../text.ts";

/*
 * Files of other software also contain hosts and URLs, but their lines may allow, redirect or only mention a host. So
 * none of these files may be read as a list of names.
 */

/** What the lines are, and the expression that they match. */
type ForeignLines = readonly [found: string, pattern: RegExp];

const FOREIGN_LINES: readonly ForeignLines[] = [
  [
    "rules of Clash, Surge or Quantumult, whose policies may also let traffic pass",
    /^(?:-\s*)?["']?(?:(?:DOMAIN(?:-(?:SUFFIX|KEYWORD|WILDCARD|REGEX|SET))?|HOST(?:-(?:SUFFIX|KEYWORD|WILDCARD))?|IP-(?:CIDR6?|ASN)|IP6-CIDR|GEOIP|GEOSITE|USER-AGENT|URL-REGEX|PROCESS-(?:NAME|PATH)|RULE-SET|(?:DST|SRC|DEST)-PORT|SRC-IP(?:-CIDR)?|MATCH|FINAL)\s*,|(?:host-suffix|host-keyword|host-wildcard|ip-cidr|ip6-cidr|user-agent|geoip|final)\s*,\s*\S|host\s*,[^,]+,\s*(?:direct|reject|proxy)\b)/,
  ],
  ["zones of a name server", /^zone\s+["']?[\w.-]+["']?\s+(?:IN\s+)?\{/i],
  [
    "access rules of Squid or HAProxy, which may also allow sites",
    /^(?:acl|http_access|http-request|use_backend|cache_peer\w*|never_direct|always_direct)\s+\S/,
  ],
  [
    "rules of Suricata or Snort, which may also let traffic pass",
    /^(?:#\s*)?(?:alert|drop|pass|reject|log|sdrop|block)\s+[a-z0-9]+\s.*\(/,
  ],
  [
    "directives of Apache or ModSecurity, which may also allow requests",
    /^(?:Sec(?:Rule|Action|Marker)|Rewrite\w+|SetEnvIf\w*|BrowserMatch\w*|Order|Allow\s+from|Deny\s+from|Require)\s+\S/i,
  ],
  [
    "directives of nginx, which may also allow requests",
    /^(?:map|geo|server|location|if)\s.*\{$|^(?:allow|deny|valid_referers|server_name|return)\s.*;$|^\S+\s+\S+;$|^\}$/,
  ],
  [
    "an access map of a mail server, whose actions may also accept mail",
    /^\S+\s+(?:OK|REJECT|DUNNO|DISCARD|PERMIT|RELAY|HOLD|SKIP|DEFER\w*|ERROR:.*|[45][0-9]{2})(?:\s.*)?$/,
  ],
  [
    "rules of SpamAssassin, which may also accept mail",
    /^(?:(?:un)?(?:white|black|block|welcome)list_\w+|header|body|rawbody|full|meta|describe|score|uri\w*)\s+\S/,
  ],
  [
    "commands of a firewall, which may also accept traffic",
    /^(?:add|create|del|-[ANIP]|ip6?tables|nft|ipset|pass|block|set)\s+\S+\s+\S|^\/ip\s/,
  ],
  ["hashes of files, with their names", /^[0-9a-f]{32,128} +\*?\S/i],
  [
    "names with addresses after them, which are redirected and not blocked",
    /^=?[*\w.-]+\.[*\w-]+ +(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-f]*:[0-9a-f:]+)(?:\s*[,#].*)?$/i,
  ],
  ["regular expressions", /^(?:\^|\(\\?\.\|\^\)|\(\^\|\\?\.\)|\.\*)?.*\\\.[^\s]*\$$|^\(?\^.*\\\./],
  ["YAML, or a list with bullets", /^(?:-\s+\S|(?!local-(?:zone|data):)[A-Za-z][\w-]*:(?:\s|$))/],
];

const LONGEST_LOOK = 1024;

/** Throws if more than half of some lines are of other software. @throws ListSourceError `foreign-format` */
export function refuseForeign(lines: readonly string[]): void {
  const beginnings = lines.map((line) => line.slice(0, LONGEST_LOOK));
  for (const [found, pattern] of FOREIGN_LINES) {
    const count = beginnings.filter((line) => pattern.test(line)).length;
    if (count > lines.length / 2) throw new ListSourceError("foreign-format", found);
  }
}

/** Documents of other software, by the names of members that only they have. */
const FOREIGN_MEMBERS: readonly (readonly [found: string, names: ReadonlySet<string>])[] = [
  ["a MISP warning list, which names what is not dangerous", setOf("matching_attributes")],
  [
    "rules of Little Snitch, which may also allow connections",
    setOf("remote-hosts remote-domains remote-addresses"),
  ],
  [
    "rules of sing-box, V2Ray or Xray, which may also let traffic pass",
    setOf("domain_suffix domain_keyword domain_regex rule_set outboundTag"),
  ],
  [
    "content-blocking rules of a browser, which may also make exceptions",
    setOf("url-filter if-domain urlFilter regexFilter requestDomains"),
  ],
];

const MOST_SEEN = 1000;

/** Throws if one of the first members of a JSON document has a name of other software. @throws ListSourceError */
export function refuseForeignMembers(document: unknown): void {
  let seen = 0;
  (function visit(value: unknown): void {
    if (typeof value !== "object" || value === null || seen >= MOST_SEEN) return;
    const names = Array.isArray(value) ? [] : Object.keys(value);
    seen += names.length + 1;
    const foreign = FOREIGN_MEMBERS.find(([, own]) => names.some((name) => own.has(name)));
    if (foreign !== undefined) throw new ListSourceError("foreign-format", foreign[0]);
    for (const each of Object.values(value)) visit(each);
  })(document);
}
