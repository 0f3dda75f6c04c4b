import { ListSourceError } from "../error.ts";
import { isSectionHead } from "../formats/parts/plain-lines.ts";
import { shorten } from "../shorten.ts";

/*
 * Files of other software also contain hosts and URLs, but their lines may allow, redirect or only mention a host. So
 * none of these files may be read as a list of names.
 */

/** The head of a section in an action file of Privoxy, such as `{+block{Malware}}` or `{ -block }`. */
const PRIVOXY =
  /^\{(?:\{[a-z]+\}\}$|\s*[+-][a-z]|\s*[a-z][a-z0-9-]*(?:\s+[a-z][a-z0-9-]*)*\s*\}$)/i;

/** The error for a line that alone shows that a source is not a list; `null` for other lines. */
export function foreignSection(line: string): ListSourceError | null {
  return line.startsWith("{") && PRIVOXY.test(line.slice(0, 200))
    ? foreign("a Privoxy action file, whose sections may also allow sites")
    : null;
}

/** The error for the head of a section in a list of names. Nothing says what the names in a section mean. */
export function sectionOfNames(line: string): ListSourceError | null {
  return isSectionHead(line)
    ? foreign(`a list with sections, such as ${JSON.stringify(shorten(line))}`)
    : null;
}

interface ForeignLines {
  readonly found: string;
  readonly pattern: RegExp;
}

/** The rules of proxies, which look like rows of a table with a header. */
const PROXY_RULES: ForeignLines = {
  found: "rules of Clash, Surge or Quantumult, whose policies may also let traffic pass",
  pattern:
    /^(?:-\s*)?["']?(?:(?:DOMAIN(?:-(?:SUFFIX|KEYWORD|WILDCARD|REGEX|SET))?|HOST(?:-(?:SUFFIX|KEYWORD|WILDCARD))?|IP-(?:CIDR6?|ASN)|IP6-CIDR|GEOIP|GEOSITE|USER-AGENT|URL-REGEX|PROCESS-(?:NAME|PATH)|RULE-SET|(?:DST|SRC|DEST)-PORT|SRC-IP(?:-CIDR)?|MATCH|FINAL)\s*,|(?:host-suffix|host-keyword|host-wildcard|ip-cidr|ip6-cidr|user-agent|geoip|final)\s*,\s*\S|host\s*,[^,]+,\s*(?:direct|reject|proxy)\b)/,
};

const FOREIGN: readonly ForeignLines[] = [
  {
    found: "options of Unbound, whose zones may also let queries pass",
    pattern:
      /^(?:server:$|(?:local-zone|local-data|local-data-ptr|domain-insecure|forward-zone|stub-zone):)/,
  },
  { found: "zones of a name server", pattern: /^zone\s+["']?[\w.-]+["']?\s+(?:IN\s+)?\{/i },
  {
    found: "access rules of Squid or HAProxy, which may also allow sites",
    pattern:
      /^(?:acl|http_access|http-request|use_backend|cache_peer\w*|never_direct|always_direct)\s+\S/,
  },
  {
    found: "rules of Suricata or Snort, which may also let traffic pass",
    pattern:
      /^(?:#\s*)?(?:alert|drop|pass|reject|log|sdrop|block)\s+(?:ip|tcp|udp|icmp|http2?|dns|tls|ssl|ftp|smtp|pkthdr)\s.*\(/,
  },
  {
    found: "directives of Apache or ModSecurity, which may also allow requests",
    pattern:
      /^(?:Sec(?:Rule|Action|Marker)|Rewrite(?:Cond|Rule|Engine|Map)|SetEnvIf(?:NoCase)?|BrowserMatch\w*|Order|Allow\s+from|Deny\s+from|Require)\s+\S/i,
  },
  {
    found: "directives of nginx, which may also allow requests",
    pattern:
      /^(?:map|geo|server|location|if)\s.*\{$|^(?:allow|deny|valid_referers|server_name|default|include|return)\s.*;$|^\S+\s+\S+;$|^\}$/,
  },
  {
    found: "an access map of a mail server, whose actions may also accept mail",
    pattern:
      /^\S+\s+(?:OK|REJECT|DUNNO|DISCARD|PERMIT|RELAY|HOLD|SKIP|DEFER\w*|ERROR:.*)(?:\s.*)?$|^\S+ +[45][0-9]{2} /,
  },
  {
    found: "rules of SpamAssassin, which may also accept mail",
    pattern:
      /^(?:(?:un)?(?:white|black|block|welcome)list_\w+|header|body|rawbody|full|meta|describe|score|uri|uri_block_\w+)\s+\S/,
  },
  {
    found: "commands of a firewall, which may also accept traffic",
    pattern:
      /^(?:add|create|del|-[ANIP]|iptables|ip6tables|nft|ipset|pass|block|set)\s+\S+\s+\S|^\/ip\s/,
  },
  {
    found: "hashes of files, with their names",
    pattern: /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128}) +\*?\S/i,
  },
  {
    found: "names with addresses after them, which are redirected and not blocked",
    pattern:
      /^=?[*\w.-]+\.[*\w-]+ +(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9a-f]*:[0-9a-f:]+)(?:\s*[,#].*)?$/i,
  },
  {
    found: "regular expressions",
    pattern: /^(?:\^|\(\\?\.\|\^\)|\(\^\|\\?\.\)|\.\*)?.*\\\.[^\s]*\$$|^\(?\^.*\\\./,
  },
  { found: "YAML, or a list with bullets", pattern: /^(?:-\s+\S|[A-Za-z][\w-]*:(?:\s|$))/ },
];

/** The error for a source in which most lines are rules of a proxy; `null` for other sources. */
export function proxyRules(lines: readonly string[]): ListSourceError | null {
  return mostAre(lines, PROXY_RULES) ? foreign(PROXY_RULES.found) : null;
}

/**
 * The error for a source in which most lines, without comments, come from a file of other software; `null` for other
 * sources.
 */
export function foreignLines(lines: readonly string[]): ListSourceError | null {
  const found = FOREIGN.find((format) => mostAre(lines, format));
  return found === undefined ? null : foreign(found.found);
}

const LONGEST_LOOK = 1024;

function mostAre(lines: readonly string[], { pattern }: ForeignLines): boolean {
  return (
    lines.filter((line) => pattern.test(line.slice(0, LONGEST_LOOK))).length > lines.length / 2
  );
}

function foreign(found: string): ListSourceError {
  return new ListSourceError("foreign-format", found, "a list that only says what is blocked");
}

interface ForeignObjects {
  readonly found: string;
  /** The name of the array with the objects; `null` if the document is the array. */
  readonly array: string | null;
  /** Groups of names. An object with all members of any group matches. */
  readonly members: readonly (readonly string[])[];
}

/** Objects of JSON documents of other software. */
const FOREIGN_OBJECTS: readonly ForeignObjects[] = [
  {
    found: "rules of sing-box, V2Ray or Xray, which may also let traffic pass",
    array: "rules",
    members: [
      ["domain_suffix"],
      ["domain_keyword"],
      ["domain_regex"],
      ["rule_set"],
      ["outbound"],
      ["outboundTag"],
      ["ip_cidr"],
    ],
  },
  {
    found: "rules of Little Snitch, which may also allow connections",
    array: "rules",
    members: [["remote-hosts"], ["remote-domains"], ["remote-addresses"], ["process"]],
  },
  {
    found: "content-blocking rules of a browser, which may also make exceptions",
    array: null,
    members: [
      ["trigger", "action"],
      ["condition", "action"],
    ],
  },
];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The error for a JSON document of other software; `null` for other documents. */
export function foreignDocument(document: unknown): ListSourceError | null {
  if (isObject(document) && Array.isArray(document["list"]) && "matching_attributes" in document) {
    return foreign("a MISP warning list, which names what is not dangerous");
  }
  // The rules of V2Ray and sing-box may be in the member "routing" or "route".
  const inside = isObject(document) ? [document, document["routing"], document["route"]] : [];
  const rules = inside.flatMap((each) =>
    isObject(each) && Array.isArray(each["rules"]) ? each["rules"] : [],
  );
  const found = FOREIGN_OBJECTS.find(({ array, members }) =>
    (array === null ? (Array.isArray(document) ? document : []) : rules).some(
      (each) => isObject(each) && members.some((group) => group.every((name) => name in each)),
    ),
  );
  return found === undefined ? null : foreign(found.found);
}
