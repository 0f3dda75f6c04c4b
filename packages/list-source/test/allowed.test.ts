import { foreignSource } from "@x/list-source";
import { describe, expect, test } from "vitest";
import { type ReadOptions, readText } from "./read.ts";

/** The entries of a source; none when it is refused as a whole. */
function entriesOf(text: string, options?: ReadOptions): readonly string[] {
  const { events } = readText(text, options);
  return events.filter((event) => /^\d+: /.test(event)).map((event) => event.replace(/^.*: /, ""));
}

const VERDICTS: readonly (readonly [field: string, allowed: readonly string[], blocked: string])[] =
  [
    ["action", ["allow", "ALLOWED", "permit", "DIRECT", "bypass"].slice(0, 4), "block"],
    ["type", ["whitelist", "white-list", "allow_list", "exception"], "blacklist"],
    ["verdict", ["benign", "clean", "safe", "harmless", "legitimate"], "malicious"],
    ["status", ["whitelisted", "false positive", "False_Positive", "not phishing"], "online"],
    ["label", ["benign", "legit", "trusted"], "phishing"],
    ["mode", ["allow", "pass", "accept"], "block"],
    ["type", ["exact_allow", "regex-allow", "white"], "exact_deny"],
    ["class", ["legit", "good"], "dga"],
    ["category", ["Known Good", "known-good"], "phishing"],
    ["reputation", ["good", "trusted"], "bad"],
    ["tags", ["false-positive", "whitelist"], "malware"],
    ["comment", ["false positive", "whitelisted"], "a kit for banks"],
    ["allow", ["true", "1"], "false"],
    ["whitelist", ["1", "yes"], "0"],
    ["false positive", ["yes", "1"], "no"],
    ["expired", ["true", "1"], "false"],
    ["is_active", ["false", "0"], "1"],
    ["whitelisted", ["true", "1", "yes"], "false"],
    ["is_false_positive", ["true", "1"], "0"],
    ["enabled", ["false", "0", "no"], "1"],
    ["malicious", ["0", "false"], "1"],
    ["deleted", ["true", "1"], "false"],
    ["to_ids", ["0", "false"], "1"],
    ["verdict", ["non-malicious", "Not a phish", "not a threat", "nonmalicious"], "malicious"],
    ["status", ["false\u00a0positive", "false  positive", "whitelisted\u200b"], "blocked"],
    ["fuzzer", ["*original", "Original*"], "homoglyph"],
    ["valid_until", ["2020-01-01", "2020-01-01T00:00:00Z"], "2999-01-01"],
    ["validTo", ["2020-01-01 00:00:00"], "0000-00-00 00:00:00"],
    ["expires_at", ["2020-01-01T00:00:00+02:00"], ""],
    ["ExpirationTime", ["2020-01-01"], "never"],
    ["status", ["expired"], "offline"],
    ["action", ["bypass"], "block"],
    ["label", ["ham", "not spam"], "spam"],
    ["permission", ["allow"], "block"],
    ["state", ["disabled", "off"], "on"],
    ["status", ["delisted"], "listed"],
    ["tags", ["phishing|benign"], "phishing"],
    ["fp", ["true"], "false"],
    ["excluded", ["1"], "0"],
    ["exempt", ["yes"], "no"],
    ["in_whitelist", ["true"], "false"],
    ["good", ["1"], "0"],
    ["bad", ["0"], "1"],
    ["deny", ["no"], "yes"],
    ["active", ["0"], "1"],
    ["disabled", ["true", "1"], "false"],
    ["DeleteDate", ["2026-09-21T00:00:00"], ""],
    ["removed_at", ["2026-09-21"], "null"],
    ["date_removed", ["2026-09-21"], "-"],
    ["action", ["remove", "delete", "monitor", "log-only", "detect", "no_action"], "none"],
    ["type", ["delete", "Removed"], "log"],
    ["isRemoval", ["true"], "false"],
    [
      "targetList",
      ["config.allowlist", "eth_phishing_detect_config.allowlist"],
      "config.blocklist",
    ],
    ["verdict", ["unknown", "no threats detected", "unrated"], "malicious"],
    ["prediction", ["good", "benign"], "bad"],
    ["status", ["not blocked", "freigegeben", "nicht gesperrt", "non bloqué"], "blocked"],
    ["comment", ["false positive - remove", "False-positive (2026)"], "a kit"],
    ["erlaubt", ["ja", "x"], "nein"],
    ["gesperrt", ["nein"], "ja"],
    ["bloqué", ["non"], "oui"],
    ["whitelist", ["x", "✓", "oui", "sí"], ""],
    ["final_verdict", ["benign", "clean"], "malicious"],
    ["finalVerdict", ["benign"], "malicious"],
    ["CLASS_LABEL", ["legitimate", "0", "1"], "phishing"],
    ["url type", ["benign"], "phishing"],
    ["threat_level", ["safe", "none"], "high"],
    ["threatLevel", ["none"], "high"],
    ["risk", ["none", "no risk"], "high"],
    ["source_list", ["allowlist"], "blocklist"],
    ["ground-truth", ["legit"], "phish"],
    ["malicious_score", ["0"], "0.9"],
    ["action", ["exempt"], "block"],
    ["status", ["Allowed (by an administrator)"], "blocked (by a rule)"],
    ["comment", ["whitelisted by an administrator"], "ok: seen by an administrator"],
  ];

describe.each(VERDICTS)("records with the field %s", (field, allowed, blocked) => {
  test.each(allowed)("that is %s", (value) => {
    const table = (delimiter: string) =>
      [
        ["url", field],
        ["evil.example", blocked],
        ["good.example", value],
      ]
        .map((row) => `${row.join(delimiter)}\n`)
        .join("");
    const records = [
      { url: "evil.example", [field]: blocked },
      { url: "good.example", [field]: value },
    ];
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    const sources = [
      ...[",", ";", "\t", "|"].map(table),
      lines,
      JSON.stringify(records),
      JSON.stringify({ data: records }, null, 1),
      JSON.stringify({ 1: records.slice(0, 1), 2: records.slice(1) }),
    ];
    for (const source of sources) expect(entriesOf(source), source).toEqual(["evil.example/"]);
    expect(entriesOf(JSON.stringify(records), { column: "[].url" })).toEqual(["evil.example/"]);
    expect(entriesOf(lines, { format: "json-lines", column: "url" })).toEqual(["evil.example/"]);
    expect(entriesOf(table(","), { column: "url" })).toEqual(["evil.example/"]);
  });
});

test("the column that is read never says what it is", () => {
  expect(entriesOf("status\nevil.example\nbad.example\n", { column: "status" })).toEqual([
    "evil.example/",
    "bad.example/",
  ]);
});

test.each([
  ["indicator_types", "benign"],
  ["labels", "Benign"],
  ["labels", "false-positive"],
  ["labels", "whitelist"],
])("a STIX indicator with %s of %s", (name, kind) => {
  const indicator = (host: string, kinds: readonly string[]) => ({
    type: "indicator",
    id: `indicator--${host}`,
    pattern_type: "stix",
    pattern: `[domain-name:value = '${host}']`,
    [name]: kinds,
  });
  const objects = [
    indicator("evil.example", ["malicious-activity"]),
    indicator("good.example", [kind]),
  ];
  const { events } = readText(
    JSON.stringify({ type: "bundle", id: "bundle--1", objects }, null, 1),
  );
  expect(events.map((event) => event.replace(/^[^ ]* /, ""))).toEqual([
    "evil.example/",
    "refused exception",
  ]);
});

test("a MISP attribute with a comment that says that it is allowed", () => {
  const attribute = (value: string, comment: string) => ({
    type: "domain",
    value,
    to_ids: true,
    comment,
  });
  const Attribute = [
    attribute("evil.example", "a kit"),
    attribute("good.example", "False positive"),
  ];
  Attribute.push(attribute("fine.example", "Whitelisted by an analyst"));
  expect(entriesOf(JSON.stringify({ Event: { Attribute } }, null, 1))).toEqual(["evil.example/"]);
});

test.each(["fp", "removed", "deleted", "expired", "revoked"])(
  "a JSON list with the name %s is read only if it is named",
  (name) => {
    const lists = JSON.stringify({ phishing: ["evil.example"], [name]: ["good.example"] });
    expect(entriesOf(lists)).toEqual(["evil.example/"]);
    expect(entriesOf(lists, { column: "*[]" })).toEqual(["evil.example/"]);
    expect(entriesOf(lists, { column: `${name}[]` })).toEqual(["good.example/"]);
    expect(entriesOf(JSON.stringify({ [name]: { domains: ["good.example"] } }))).toEqual([]);
  },
);

test.each(["analysis", "attributes", "meta", "metadata"])("a verdict in the object %s", (name) => {
  const records = [
    { url: "evil.example", [name]: { verdict: "malicious", url: "http://publisher.example/1" } },
    { url: "good.example", [name]: { verdict: "benign" } },
    { url: "fine.example", [name]: { whitelisted: true } },
  ];
  expect(entriesOf(JSON.stringify(records), { column: "[].url" })).toEqual(["evil.example/"]);
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  expect(entriesOf(lines, { column: "url" })).toEqual(["evil.example/"]);
});

test.each([
  { type: "whitelist" },
  { name: "Allowlist" },
  { listType: "allow" },
  { action: "allow" },
])("a JSON document that says %j", (fields) => {
  for (const list of [{ domains: ["good.example"] }, { data: [{ domain: "good.example" }] }]) {
    const text = JSON.stringify({ ...fields, ...list });
    expect(readText(text).error).toBe("allow-list");
    const column = "domains" in list ? "domains[]" : "data[].domain";
    expect(entriesOf(text, { column })).toEqual(["good.example/"]);
  }
  expect(entriesOf(JSON.stringify({ name: "Phishing", domains: ["evil.example"] }))).toEqual([
    "evil.example/",
  ]);
});

describe("a record around the one with the entry", () => {
  const read = (records: unknown, column?: string) =>
    entriesOf(JSON.stringify(records), { format: "json", column });
  const good = { page: { url: "http://good.example/" } };
  const evil = { page: { url: "http://evil.example/" } };

  test.each([
    { verdict: "benign" },
    { status: "whitelisted" },
    { deleted: true },
    { verdicts: { overall: { malicious: false } } },
  ])("that says %j", (fields) => {
    const records = [
      { ...fields, ...good },
      { verdict: "malicious", ...evil },
      { ...good, ...fields },
    ];
    expect(read(records)).toEqual(["evil.example/"]);
    expect(read({ data: records })).toEqual(["evil.example/"]);
    expect(read({ data: records }, "data[].page.url")).toEqual(["evil.example/"]);
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    expect(entriesOf(lines, { column: "page.url" })).toEqual(["evil.example/"]);
  });

  test("and lists", () => {
    const rules = [
      { action: "allow", entries: [{ domain: "good.example" }], hosts: ["fine.example"] },
      { action: "block", entries: [{ domain: "evil.example" }], hosts: ["bad.example"] },
    ];
    expect(read(rules, "[].entries[].domain")).toEqual(["evil.example/"]);
    expect(read(rules, "[].hosts[]")).toEqual(["bad.example/"]);
    expect(read([{ a: rules[0] }, { b: rules[1] }], "[].*.hosts[]")).toEqual(["bad.example/"]);
  });

  test("does not mean what one of its records says", () => {
    const result = [
      { url: "http://good.example/", verdict: "benign" },
      { url: "http://evil.example/", verdict: "malicious" },
    ];
    expect(read([{ result }, { result }])).toEqual(["evil.example/", "evil.example/"]);
    expect(read({ status: "safe", data: [evil] })).toEqual(["evil.example/"]);
  });
});

test("a MISP attribute with a tag that says that it is allowed", () => {
  const attribute = (value: string, ...tags: readonly string[]) => ({
    type: "domain",
    value,
    Tag: tags.map((name) => ({ name })),
    to_ids: true,
  });
  const Attribute = [
    attribute("confirmed.example", "tlp:green", 'false-positive:confirmed="true"'),
    attribute("evil.example", "tlp:green"),
    attribute("risky.example", 'false-positive:risk="high"'),
    attribute("bad.example", 'false-positive:risk="low"'),
    attribute("white.example", "whitelist"),
    attribute("worse.example", 'false-positive:confirmed="false"'),
  ];
  expect(entriesOf(JSON.stringify({ Event: { Tag: [], Attribute } }, null, 1))).toEqual([
    "evil.example/",
    "bad.example/",
    "worse.example/",
  ]);
});

const HEADINGS = [
  "# Whitelist",
  "#whitelist",
  "### WHITELISTED DOMAINS ###",
  "# ---- Allow list ----",
  "! Allowed sites:",
  "; Exceptions",
  "# *** Excluded hosts ***",
  "# False positives",
  "# my local whitelist",
  "# Title: Allowlist for tracking links",
  '#listcategory: "Exception list"',
  "#Sites in exception list",
  "# URLs in white list",
  "[allow]",
  "[whitelist]",
  "[[exceptions]]",
  "[my-allowlist]",
  "[Allowed Domains]",
  "Allowed:",
  "White list:",
  "==== WHITELIST ====",
  "--- allow",
  "# Do not block these",
  "# don't block the following domains:",
  "# Removed from list (false positive):",
  "# False positives reported by users",
  "# Safe sites",
  "# Legitimate domains",
  "# Known good",
  "[safe]",
  "# Weiße Liste",
  "# Ausnahmen",
  "# Liste blanche",
  "# Excepciones:",
  "# Белый список",
  "# === 白名单 ===",
  "# ホワイトリスト",
  "whitelist",
  "Allow list",
  "allowed_domains",
  "// whitelist",
  "// The following domains are whitelisted",
  "/* Whitelist */",
  "% Allowed sites",
  "-- do not block",
  "=== DO NOT BLOCK ===",
  "Never block these:",
  "[do not block]",
  "# Not blocked",
  "[not blocked]",
  "# The following domains are whitelisted",
  "# these are safe, do not block",
  "# Legit sites (never block)",
  "# whitelist of urls",
  "# Company whitelist",
  "# URL whitelist v2",
  "# whitelist for rspamd, 2026",
  "# Whitelist: domains of the company",
  "# Whitelist by ACME (12 entries)",
  "# Whitelist, updated 2026-11-01",
  "# whitelist.txt",
  "#=== Company whitelist ===#",
  "# *** Allow-list for the anti-phishing filter ***",
  "# Anti-spam whitelist",
  "# Pi-hole ad-blocking whitelist",
  "! AdBlock whitelist for our customers",
  "; Mail server whitelist",
  "# Domains on our allowlist",
  "# Domains that are whitelisted",
  "# Office exceptions",
  "# Exceptions for the office",
  "# Trusted domains of our partners",
  "# Domains that must not be blocked",
  "# Sites which should never be blocked by the filter",
  "# our own domains (never block)",
  "# own domains - DO NOT BLOCK!",
  "# Domains you must never block",
  "# Never to be blocked",
  "# Mustn't be blocked",
  "# Description: domains that should not be blocked",
  "# Firmen-Whitelist",
  "# Firmenwhitelist 2026",
  "# Weiße Liste der Firma",
  "# Positivliste für den Mailserver",
  "# Eigene Domains, nie sperren",
  "# Diese Domains dürfen nicht gesperrt werden",
  "# Niemals blockieren",
  "# Liste blanche de la société",
  "# Nos domaines (ne pas bloquer)",
  "# Domaines qui ne doivent jamais être bloqués",
  "# Lista blanca de la empresa",
  "# Dominios propios: no bloquear",
  "# Estos dominios no deben ser bloqueados",
  "# Lista branca da empresa",
  "# Domínios que não devem ser bloqueados",
  "# Lista bianca aziendale",
  "# Domini nostri, non bloccare",
  "# Onze domeinen, niet blokkeren",
  "# Белый список компании",
  "# Не блокировать",
  "# 公司白名单",
  "# 请勿屏蔽",
  "# 社内ホワイトリスト",
  "# ブロックしない",
  "// Company whitelist",
  "Company whitelist",
  "Domains we must never block",
];

describe("headings of what is allowed", () => {
  test.each(HEADINGS)("%s", (heading) => {
    const list = `bad.example\n${heading}\n\ngood.example\nwww.good.example\n`;
    expect(entriesOf(list)).toEqual(["bad.example/"]);
    expect(entriesOf(list, { format: "domains" })).toEqual(["bad.example/"]);
    expect(entriesOf(`${heading}\ngood.example\n# Blocklist\nevil.example\n`)).toEqual([
      "evil.example/",
    ]);
  });
});

describe("headings and remarks in other formats", () => {
  const entry = {
    hosts: (host: string) => `0.0.0.0 ${host}`,
    dnsmasq: (host: string) => `address=/${host}/0.0.0.0`,
    csv: (host: string) => `${host},a kit`,
  };
  test.each(["hosts", "dnsmasq", "csv"] as const)("%s", (format) => {
    const line = entry[format];
    const start = format === "csv" ? "host,note\n" : "";
    for (const heading of ["# Whitelist", "# Title: Allowlist", "# Do not block these"]) {
      const list = `${start}${line("evil.example")}\n${heading}\n${line("good.example")}\n${line("fine.example")}\n# Phishing\n${line("bad.example")}\n`;
      const { events } = readText(list, { format });
      const codes = events.map((event) => event.replace(/^\S+ /, ""));
      expect(codes).toEqual([
        "evil.example/",
        "refused section-allowed",
        "refused section-allowed",
        "bad.example/",
      ]);
    }
    for (const comment of ["# This list is safe to use", "# Whitelist requests: see the site"]) {
      const list = `${start}${comment}\n${line("evil.example")}\n`;
      expect(entriesOf(list, { format })).toEqual(["evil.example/"]);
    }
  });

  test("a row of a table may be a heading", () => {
    const list =
      "host,note\nevil.example,x\nWhitelist,\ngood.example,x\nBlocklist,\nbad.example,x\n";
    expect(entriesOf(list)).toEqual(["evil.example/", "bad.example/"]);
  });

  test.each([
    "0.0.0.0 good.example # whitelisted",
    "0.0.0.0 good.example\t#false positive, see below",
    "address=/good.example/0.0.0.0 # Allowed",
  ])("%s", (line) => {
    const start = line.startsWith("a") ? "address=/evil.example/0.0.0.0" : "0.0.0.0 evil.example";
    expect(readText(`${start} # kit\n${line}\n`).events).toEqual([
      "1: evil.example/",
      "2+1 refused exception",
    ]);
  });

  test("in Adblock lists, only names alone: a rule says itself what it does", () => {
    const list =
      "||evil.example^\n! Whitelist\ngood.example\n0.0.0.0 fine.example\n||bad.example^\n! Phishing\nworse.example\n";
    expect(entriesOf(list, { format: "adblock" })).toEqual([
      "evil.example/",
      "bad.example/",
      "worse.example/",
    ]);
    const mixed = "! Title: Filters and exceptions\n||evil.example^\n";
    expect(entriesOf(mixed, { format: "adblock" })).toEqual(["evil.example/"]);
    const allowList = "! Title: Allowlist\n||good.example^\nfine.example\n";
    expect(readText(allowList, { format: "adblock" }).events).toEqual([
      "2+1 refused section-allowed",
      "3+1 refused section-allowed",
    ]);
  });
});

test.each(["// see", "; see", "-- not", "(was", "<-", "CNAME", "clone of"])(
  "a host after %s in a hosts file belongs to a remark",
  (remark) => {
    const list = `0.0.0.0 evil.example ${remark} good.example\n0.0.0.0 bad.example www.bad.example\n`;
    expect(readText(list).events).toEqual([
      "1: evil.example/",
      "1+1 refused host-expected",
      "2: bad.example/",
      "2: www.bad.example/",
    ]);
  },
);

test("a verdict may be an object inside a record", () => {
  const verdicts = [
    { verdict: { malicious: false } },
    { verdicts: { overall: { malicious: false } } },
    { rule: { action: "allow" } },
    { tags: [{ status: "whitelisted" }] },
    { tags: [{ name: "phishing" }, { name: "False positive" }] },
  ];
  for (const verdict of verdicts) {
    const records = [
      {
        url: "http://evil.example/",
        verdicts: { overall: { malicious: true }, other: { malicious: false } },
      },
      { url: "http://good.example/", ...verdict },
    ];
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    for (const source of [JSON.stringify(records), JSON.stringify({ data: records }), lines]) {
      expect(entriesOf(source), source).toEqual(["evil.example/"]);
    }
  }
});

test("a row of a table is not its header, even if it has the word of a column", () => {
  for (const table of [
    "1,evil.example,domain\n2,bad.example,url\n",
    "a,evil.example,Domain,high\nb,http://bad.example/,URL,high\n",
    "evil.unusual;host;x\nbad.unusual;host;y\n",
    "2026-11-27\tdomain\tsomething\n2026-11-28\tdomain\tsomething\n",
  ]) {
    expect(readText(table)).toMatchObject({ events: [], error: "column-missing" });
  }
  expect(entriesOf("threat.indicator,host.name,domain\nx,sensor,evil.example\n")).toEqual([
    "evil.example/",
  ]);
});

test("lists without usual names beside the list that is read are counted", () => {
  const document = { blocklist: ["evil.example"], blocklistPaths: ["bad.example/a"] };
  const { events, summary } = readText(JSON.stringify(document));
  expect(events).toEqual(["1: evil.example/"]);
  expect(summary).toMatchObject({ notApplicable: 1 });
});

test("names with comments after them are a list of names", () => {
  const list = "evil.example # phishing\nhttp://bad.example/a # seen today\n";
  expect(readText(list).events).toEqual(["1: evil.example/", "2: bad.example/a"]);
});

test("a mark before a name excludes it, also before a wildcard or a dot", () => {
  for (const mark of ["!", "!.", "!*.", "-.", "-*.", "~."]) {
    const { events } = readText(`evil.example\n${mark}good.example\n`, { format: "urls" });
    expect(events, mark).toEqual(["1: evil.example/", "2+1 refused exception"]);
  }
});

test.each(["all,~document", "doc,~doc", "~document,important,all"])(
  "an Adblock rule with $%s blocks nobody who opens a page",
  (options) => {
    const { events, summary } = readText(`||evil.example^\n||good.example^$${options}\n`);
    expect(events).toEqual(["1: evil.example/"]);
    expect(summary).toMatchObject({ notApplicable: 1 });
  },
);

test("addresses of the machine itself are no names in a hosts file", () => {
  const { events, summary } = readText("127.0.0.1 127.0.0.1 evil.example\n0.0.0.0 127.0.0.1\n", {
    format: "hosts",
  });
  expect(events).toEqual(["1: evil.example/"]);
  expect(summary).toMatchObject({ notApplicable: 2 });
});

test("a host in brackets is no header of an Adblock list", () => {
  const list =
    "[Adblock Plus 2.0]\n||evil.example^\n[ads.bad.example]\n[uBlock Origin 1.2.rc3]\n[Rules]\n";
  expect(readText(list, { format: "adblock" }).events).toEqual([
    "2: evil.example/",
    "3+1 refused host-character",
  ]);
});

describe("rules of AdGuard", () => {
  test.each([
    ["NXDOMAIN", true],
    ["refused", true],
    ["0.0.0.0", true],
    ["::", true],
    ["NOERROR;A;0.0.0.0", true],
    ["192.0.2.1", false],
    ["NOERROR;A;192.0.2.1", false],
    ["other.example", false],
    ["", false],
    ["NXDOMAIN,client=192.0.2.1", false],
  ])("dnsrewrite=%s blocks: %s", (answer, blocks) => {
    const rule = `||evil.example^$dnsrewrite=${answer}\n`;
    expect(entriesOf(rule, { format: "adblock" })).toEqual(blocks ? ["evil.example/"] : []);
  });

  test("a hint before a rule limits it to some clients", () => {
    const list =
      "||evil.example^\n!+ NOT_OPTIMIZED PLATFORM(ext_ublock)\n||good.example^\n||bad.example^\n!+ NOT_OPTIMIZED\n||worse.example^\n";
    expect(readText(list)).toMatchObject({
      events: ["1: evil.example/", "2+1 refused directive", "4: bad.example/", "6: worse.example/"],
      summary: { notApplicable: 1 },
    });
  });
});

test.each([
  "# removed whitelisted domains on 2026-11-20",
  "# Title: Blocklist, without the allowlist",
  "# Title: Safe Browsing",
  "# Safe browsing starts here",
  "# 黑名单 (不含白名单)",
  "# Do not block what you need",
  "# Do not block on the first day, but later",
  "# False positives reported by users were removed from this list",
  "# Report false positives at https://publisher.example/",
  "# These domains are safe to block",
  "# This list is safe",
  "# The following domains are not whitelisted",
  "# Blocked exceptions.example",
  "# Whitelist requests: https://publisher.example/issues",
  "# Whitelist: https://publisher.example/whitelist.txt",
  "# Whitelist requests to abuse@publisher.example",
  "# Entries are removed if whitelisted",
  "# see also our whitelist",
  "# See the whitelist for exceptions",
  "# minus whitelist",
  "# (without whitelist)",
  "# not whitelisted",
  "# non-whitelisted domains",
  "# Malware domains, whitelist applied",
  "# Phishing domains (whitelist: Tranco top 1000)",
  "# Blocklist with whitelist",
  "# Blacklist and whitelist are merged",
  "# Checked against our whitelist",
  "# Domains from the whitelist were removed",
  "# Thanks to everyone for the whitelist",
  "# To whitelist a domain, open an issue",
  "# How to whitelist",
  "# Please whitelist good.example",
  "# whitelist good.example",
  "# You can whitelist a domain at any time",
  "# Whitelisting is possible",
  "# Whitelisted domains: 35",
  "# Number of whitelisted domains: 35",
  "# Whitelist: none",
  "# No exceptions",
  "# whitelist = off",
  "# Generated from sources and a whitelist",
  "# Unwhitelisted on 2026-11-01",
  "# Report domains that should not be blocked",
  "# If a domain should not be blocked, open an issue",
  "# Sites that must not be blocked were removed",
  "# Why we never block",
  "# Never block by hand: use the tool",
  "# abzüglich Whitelist",
  "# ohne Whitelist",
  "# Nicht auf der Whitelist",
  "# Bitte Whitelist-Anfragen per Mail",
  "# sans la liste blanche",
  "# sin la lista blanca",
  "# exceto lista branca",
  "# senza lista bianca",
  "# без белого списка",
  "# 已去除白名单",
  "# Sperrliste mit Whitelist",
  "# Recommended with a whitelist",
  "# Excludes domains on the whitelist",
  "# Domains in the exceptions file are ignored",
  "# Exceptions: see README",
  "# Exceptions are made by the publisher",
  "# hosts that are excluded by the whitelist",
  "# Stricter version: use an allowlist",
  "# Do not edit this file. Exceptions come from exceptions.txt",
  "# Custom host records are listed here.",
  "# The following lines are desirable for IPv6 capable hosts",
  "# Use this file to prevent your computer from connecting to selected internet hosts.",
  "#",
])("%s is an ordinary comment", (comment) => {
  expect(entriesOf(`${comment}\nevil.example\nbad.example\n`)).toEqual([
    "evil.example/",
    "bad.example/",
  ]);
});

test("a remark below a heading is no end of what is allowed", () => {
  const list = (remark: string) =>
    `evil.example\n# Company whitelist\n${remark}\ngood.example\n# Malware\nbad.example\n`;
  for (const remark of [
    "# Used by our ad-blocking DNS",
    "# not malicious",
    "# Updated 2026-11-01, no phishing",
    "# Our partners told us that these names were listed on some phishing lists by mistake",
  ]) {
    expect(entriesOf(list(remark)), remark).toEqual(["evil.example/", "bad.example/"]);
  }
  expect(entriesOf(list("# Phishing"))).toEqual(["evil.example/", "good.example/", "bad.example/"]);
});

test.each([
  "# company whitelist",
  "# must not be blocked",
  "# on our whitelist since 2026",
  "# eigene Domain, nie sperren",
])("a comment after a name: %s", (comment) => {
  expect(entriesOf(`evil.example\ngood.example ${comment}\nbad.example\n`)).toEqual([
    "evil.example/",
    "bad.example/",
  ]);
});

test("a Privoxy action file is refused, wherever its sections begin and whichever format is named", () => {
  for (const section of ["{-block}", "{ -block }", "{+block{Ads}}", "{{alias}}", "{ fragile }"]) {
    const file = `${section}\n.good.example\n`;
    expect(readText(file)).toMatchObject({ events: [], error: "foreign-format" });
    for (const format of ["urls", "domains", "adblock"] as const) {
      expect(readText(file, { format })).toMatchObject({ events: [], error: "foreign-format" });
    }
    const long = `${"evil.example\n".repeat(10_000)}${file}`;
    expect(readText(long).error).toBe("foreign-format");
    expect(entriesOf(long)).not.toContain("good.example/");
  }
});

test("lines of URLs are not taken for another file because of a single line", () => {
  const urls = new TextEncoder().encode("http://a.example/\n{-x}\nhttp://b.example/\n");
  expect(foreignSource(urls)).toBe(null);
});

test("hashes of files are not read as hashes of URLs, unless someone says so", () => {
  const hash = "a1".repeat(32);
  const list = `${hash}\n${hash}\n`;
  expect(readText(list).error).toBe("hash-unclear");
  expect(readText(`# SHA-256 of malware samples and URLs\n${list}`).error).toBe("hash-unclear");
  expect(readText(list, { format: "hex" }).events).toEqual([`1: ${hash}`, `2: ${hash}`]);
  for (const comment of [
    "# SHA-256 hashes of URLs",
    "# hashes of expressions",
    "; full hashes of hosts",
    "# URL hashes (sha256)",
  ]) {
    expect(readText(`${comment}\n${list}`).events).toEqual([`2: ${hash}`, `3: ${hash}`]);
  }
});

test("tables with a line for Excel, a delimiter at the end, or an empty last column", () => {
  const entries = ["evil.example/", "bad.example/"];
  for (const table of [
    "sep=;\nurl;note\nevil.example;x\nbad.example;y\n",
    '"sep=;"\r\nurl;note\r\nevil.example;x\r\nbad.example;y\r\n',
    "\ufeffsep=\t\nurl\tnote\nevil.example\tx\nbad.example\t\n",
    "sep=|\nnote|url\nx|evil.example\n|bad.example\n",
    "url;note;\nevil.example;x;\nbad.example;;\n",
    "url;note\nevil.example;x;\nbad.example;y;\n",
    "url;note;\nevil.example;x\nbad.example;y\n",
    "id\turl\tend\n1\tevil.example\t\n2\tbad.example\t\n",
    "# id\turl\tend\n1\tevil.example\t\n2\tbad.example\t\n",
  ]) {
    expect(entriesOf(table), table).toEqual(entries);
  }
  expect(readText("url,note\nevil.example,x,y\n", { format: "csv" }).events).toEqual([
    "2+1 refused column-count",
  ]);
});

test("a comment after a name may say that it is allowed", () => {
  const list = [
    "evil.example # phishing",
    "good.example # whitelisted",
    "www.good.example\t# False positive",
    "bad.example # not whitelisted, see below",
    "worse.example#allow",
    "fine.example # false positive, removed in 2026",
    "fine.example # whitelisted until 2027",
    "fine.example # ok, false positive",
    "fine.example # not malicious",
    "worst.example # allowed.example looks like it",
  ];
  expect(entriesOf(`${list.join("\n")}\n`, { format: "urls" })).toEqual([
    "evil.example/",
    "bad.example/",
    "worse.example/",
    "worst.example/",
  ]);
});

test("a URL in an option of dnsmasq is refused as a whole", () => {
  const options = [
    "address=/evil.example/bad.example/0.0.0.0",
    "address=/http://worse.example/good.example/0.0.0.0",
    "server=/worse.example:80/good.example/",
    "local=/worse.example/../good.example/",
    "local=/worse.example/%2e/good.example/",
  ];
  expect(readText(`${options.join("\n")}\n`).events).toEqual([
    "1: evil.example/",
    "1: bad.example/",
    "2+1 refused host-expected",
    "3+1 refused host-expected",
    "4+1 refused host-expected",
    "5+1 refused host-expected",
  ]);
});

test.each([
  "javascript://good.example/%0aalert(1)",
  "data://good.example/,x",
  "about://good.example/",
  "chrome://good.example/",
  "mailto://user@good.example/",
])("%s leads to no site", (url) => {
  for (const source of [
    `http://evil.example/\n${url}\n`,
    `url,x\nhttp://evil.example/,1\n"${url}",1\n`,
  ]) {
    const { events } = readText(source);
    expect(events).toEqual(
      ["1: evil.example/", "2+1 refused not-a-url"].map((event, i) =>
        source.startsWith("url") ? event.replace(/^\d/, String(i + 2)) : event,
      ),
    );
  }
  expect(readText(JSON.stringify(["http://evil.example/", url])).events.at(-1)).toMatch(
    /not-a-url$/,
  );
});
