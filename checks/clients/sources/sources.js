import { words } from "../../support/words.js";
import { randomNumbers } from "../server/support/odd-urls.js";

/*
 * Sources in the formats of resolvers, with everything that may stand between their entries. The words are data: no
 * reader knows them.
 */

const REMARKS = [
  ...["Whitelist", "keep these reachable", "Do not block", "Allowed:", "=== false positives ==="],
  ...["Beyaz liste", "Till\u00e5tna dom\u00e4ner", "Erlaubte Domains \u2013 nicht sperren"],
  ...["Liste blanche : ne pas bloquer", "Dominios permitidos", "Lista bianca", "Bia\u0142a lista"],
  ...[
    "\u0411\u0435\u043b\u044b\u0439 \u0441\u043f\u0438\u0441\u043e\u043a",
    "\u767d\u540d\u5355",
    "\u8a31\u53ef\u30ea\u30b9\u30c8",
  ],
  ...[
    "\ud5c8\uc6a9 \ubaa9\ub85d",
    "\u0642\u0627\u0626\u0645\u0629 \u0627\u0644\u0633\u0645\u0627\u062d",
    "Blocked",
    "evil.example is allowed",
  ],
];
const SECTIONS = [
  "[allow]",
  "[whitelist]",
  "Whitelist:",
  "=== ALLOW ===",
  "// Allow list",
  "server:",
];
const NAMES = words(`
  evil.example www.evil.example good.evil.example a.b.evil.example EVIL.Example bad.test
  cdn.bad.test bad.test. x-1.other.test a_b.other.test -x.other.test b\u00fccher.example
  xn--bcher-kva.example 1.2.other.test other.test notevil.example *.evil.example *.wild.test
  .dot.test ev*il.test evil..example intranet
`);
const BLANKS = [" ", " ", " ", "\t", "  ", " \t "];
/** Stands for the port of a resolver that knows every name. */
export const OTHER_PORT = "5335";

/** Returns a function for the random choices of a source. */
function choices(seed) {
  const random = randomNumbers(seed);
  const of = (all) => all[Math.floor(random() * all.length)];
  return { of, chance: (share) => random() < share, blank: () => of(BLANKS) };
}

const remark = ({ of }, sign) => `${sign}${of(["", " ", "  "])}${of(REMARKS)}`;

function hostsLine(choose) {
  const { of, chance, blank } = choose;
  if (chance(0.2)) return remark(choose, "#");
  if (chance(0.05)) return of(SECTIONS);
  const address = of([
    ...["0.0.0.0", "0.0.0.0", "0.0.0.0", "127.0.0.1", "127.0.0.1", "127.9.9.9"],
    ...["192.0.2.1", "2001:db8::1", "127.0.0.01", "127.0.0.256", "0.0.0.0.0", "1.2.3"],
  ]);
  const names = Array.from({ length: of([1, 1, 1, 2, 3, 0]) }, () => of([...NAMES, "localhost"]));
  const end = chance(0.2) ? of(["#", " # ", "\t#"]) + of(REMARKS) : "";
  return `${of(["", "", " "])}${[address, ...names].join(blank())}${end}`;
}

function dnsmasqLine(choose) {
  const { of, chance } = choose;
  if (chance(0.2)) return remark(choose, "#");
  if (chance(0.03)) return of(SECTIONS);
  if (chance(0.1)) {
    return of([
      ...["domain-needed", "bogus-priv", "rebind-domain-ok=/good.evil.example/", "cache-size=100"],
      ...[
        `server=127.0.0.1#${OTHER_PORT}`,
        "adress=/evil.example/#",
        "host-record=hr.test,0.0.0.0",
      ],
      ...["host-record=www.evil.example,192.0.2.1", "cname=alias.evil.example,hr.test"],
      ...[
        "local-ttl=60",
        "address=/evil.example",
        "bogus-nxdomain=192.0.2.7",
        "cname=c.test,hr.test",
      ],
    ]);
  }
  const name = of(["address", "address", "address", "server", "local"]);
  const target = of(
    name === "address"
      ? ["0.0.0.0", "0.0.0.0", "#", "", "127.0.0.1", "192.0.2.1", "0", "NULL", "2001:db8::1"]
      : ["", "", "", "#", `127.0.0.1#${OTHER_PORT}`],
  );
  const domains = Array.from({ length: of([1, 1, 1, 1, 2, 3]) }, () => of(NAMES)).join("/");
  const end = chance(0.15) ? `${of([" #", "\t# ", "  #"])}${of(REMARKS)}` : "";
  const equals = of(["=", "=", "=", " = ", "= "]);
  return `${of(["", "", "  "])}${name}${equals}/${domains}/${target}${end}`;
}

/** @param zones the zones so far: unbound takes one of several with the same name. */
function unboundLine(choose, zones) {
  const { of, chance, blank } = choose;
  if (chance(0.2)) return remark(choose, "#");
  if (chance(0.03))
    return of(["server:", "verbosity: 0", "  hide-identity: yes", "cache-min-ttl: 1"]);
  if (chance(0.02)) return of(['domain-insecure: "evil.example"', 'private-domain: "bad.test"']);
  const name = of(NAMES.filter((each) => !each.includes("..") && !each.startsWith(".")));
  const key = name.toLowerCase().replace(/\.$/, "");
  if (zones.has(key)) return remark(choose, "#");
  zones.set(key, true);
  const end = chance(0.15) ? `${of([" #", "\t# "])}${of(REMARKS)}` : "";
  const start = of(["", "  ", "\t"]);
  const sign = of(['"', '"', '"', "'"]);
  if (chance(0.3)) {
    const record = of([
      "A 0.0.0.0",
      "A 0.0.0.0",
      "IN A 127.0.0.1",
      "60 IN AAAA ::",
      "A 192.0.2.1",
      "TXT x",
    ]);
    return `${start}local-data:${blank()}${sign}${name} ${record}${sign}${end}`;
  }
  const type = of([
    ...["static", "refuse", "always_nxdomain", "always_nxdomain", "always_null", "always_nodata"],
    ...[
      "always_refuse",
      "transparent",
      "typetransparent",
      "inform",
      "always_transparent",
      "block_a",
    ],
  ]);
  const zone = chance(0.3) && !name.includes("*") ? name : `${sign}${name}${sign}`;
  return `${start}local-zone:${blank()}${zone}${blank()}${type}${end}`;
}

/** @param types the type of the records of each owner so far: a name with a `CNAME` has no other records. */
function zoneLine(choose, types) {
  const { of, chance, blank } = choose;
  if (chance(0.2)) return remark(choose, ";");
  if (chance(0.03)) return of(SECTIONS);
  if (chance(0.05)) return of(["$ORIGIN ZONE", "$TTL 5", "$TTL 1h"]);
  const owner = of([
    ...NAMES.filter((name) => !name.endsWith(".") && !name.includes("..")),
    ...["@", "evil.example.ZONE", "32.7.2.0.192.rpz-ip", "*.*.evil.example"],
  ]);
  const isPolicy = owner !== "@" && !owner.endsWith("rpz-ip");
  const time = of(["", "", "60", "1h", "IN", "60 IN"]);
  const record = of([
    ...["CNAME .", "CNAME .", "CNAME .", "CNAME *.", "cname .", "A 0.0.0.0", "A 127.0.0.1"],
    ...["AAAA ::", "AAAA ::1"],
    // Resolvers refuse the whole zone for one of these, and they must be refused here.
    ...(isPolicy ? ["A 0", "AAAA 0::0::0", "A 127.0.0.01"] : []),
    ...["CNAME rpz-passthru.", "CNAME RPZ-Passthru.", "CNAME rpz-tcp-only.", "A 192.0.2.1"],
    ...["CNAME good.example.", "TXT why", 'TXT "a ; b"', "PTR x.test.", "CNAME evil.example."],
  ]);
  const name = owner.toLowerCase().replace(/\.zone$/, "");
  const type = /^cname/i.test(record) ? record : "other";
  if ((types.get(name) ?? type) !== type) return remark(choose, ";");
  types.set(name, type);
  const end = chance(0.15) ? `${of([" ;", ";", "\t; "])}${of(REMARKS)}` : "";
  return `${[owner, ...(time === "" ? [] : [time]), record].join(blank())}${end}`;
}

/** The lines at the beginning of each zone. */
export const ZONE_HEAD = ["$TTL 60", "@ SOA ns.test. root.test. 1 60 60 60 60", " NS ns.test."];

const FORMATS = {
  hosts: { head: [], line: hostsLine },
  dnsmasq: { head: ["address=/first.test/#"], line: dnsmasqLine },
  unbound: { head: ["server:"], line: unboundLine },
  rpz: { head: ["$ORIGIN ZONE", ...ZONE_HEAD], line: zoneLine },
};

/** The lines of `count` sources. In zones, `ZONE` stands for the name of the zone. */
export function sourcesIn(format, count, seed) {
  const { head, line } = FORMATS[format];
  return Array.from({ length: count }, (_, i) => {
    const choose = choices(seed * 10_000 + i);
    const length = choose.of([1, 2, 3, 5, 8, 12]);
    const eol = choose.of(["\n", "\n", "\r\n"]);
    const state = new Map();
    return [...head, ...Array.from({ length }, () => line(choose, state))].map(
      (each) => each + eol,
    );
  });
}
