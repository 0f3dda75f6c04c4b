import { canonicalize } from "@x/canon";
import { createClient, createLookup } from "@x/client";
import { exactExpression } from "@x/expressions";
import { checker } from "@x/lookup";
import { prefixList } from "@x/prefix-list";
import { fullHash } from "@x/sha256-prefix";
import { normalizeUrn, parseUrn } from "@x/urn";

const URLS = [
  "http://evil.test/",
  "http://a.evil.test/b?c",
  "http://evil.test\\@good.test/",
  "http://good.test/",
];

async function verdictsOf(checks) {
  const verdicts = [];
  for await (const { verdict, reason } of checks.checkMany(URLS)) verdicts.push(reason ?? verdict);
  return verdicts;
}

/** The results of each part in this runtime. `storage` may be `undefined`. */
export async function tryParts(server, storage) {
  const list = prefixList([fullHash(exactExpression("http://evil.test/"))], { name: "own" });
  const { check } = checker(list);
  const client = createClient({ protocol: "v5", server, lists: ["mw-4b"], storage });
  const { lists } = await client.load();
  if (lists[0].size === null) await client.update();
  return {
    canonical: canonicalize("http://\u0430pple.test/%2541/../b#c"),
    urn: normalizeUrn(parseUrn("URN:ISBN:0451450523")).nid,
    local: URLS.map((url) => check(url).length),
    prefixes: await verdictsOf(createLookup({ server })),
    urls: await verdictsOf(createLookup({ server, sends: "urls" })),
    updated: await verdictsOf(client),
    stored: lists[0].size,
    unreachable: await verdictsOf(createLookup({ server: "http://127.0.0.1:9" })),
  };
}
