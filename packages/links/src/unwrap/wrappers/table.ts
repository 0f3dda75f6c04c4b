import { decodePercents } from "../decode.ts";
import { MAIL_FILTERS } from "./mail-filters.ts";
import { COPIES, REDIRECTS } from "./sites.ts";
import type { Wrapper } from "./wrapper.ts";

/** All services whose links are unwrapped. If several rows match a link, the first one counts. */
export const WRAPPERS: readonly Wrapper[] = [...MAIL_FILTERS, ...REDIRECTS, ...COPIES];

/** The rows by the last label of their sites. Compiling the regular expressions of all rows would take milliseconds. */
const BY_LABEL = new Map<string, Wrapper[]>();
for (const wrapper of WRAPPERS) {
  for (const label of new Set(wrapper.sites.map(lastLabel))) {
    BY_LABEL.set(label, [...(BY_LABEL.get(label) ?? []), wrapper]);
  }
}

function lastLabel(site: string): string {
  return site.slice(site.lastIndexOf(".") + 1);
}

/** The maximum number of hosts in the cache. */
const MAX_HOSTS = 64;
const byHost = new Map<string, readonly Wrapper[]>();

/** The wrappers at a host. Results are cached, because most files repeat the same few hosts. */
export function wrappersAt(host: string): readonly Wrapper[] {
  const known = byHost.get(host);
  if (known !== undefined) return known;
  // The last two labels before the top-level domain.
  const labels = new Set(host.split(".").slice(-3, -1));
  const possible = [...labels].flatMap((label) => BY_LABEL.get(label) ?? []);
  const wrappers = possible.filter((wrapper) => wrapper.host.test(host));
  if (byHost.size === MAX_HOSTS) byHost.clear();
  byHost.set(host, wrappers);
  return wrappers;
}

/** The scheme that wraps a URL. */
export type WrappingScheme = "view-source" | "blob" | "filesystem" | "intent";

/** One row of the table of schemes whose URLs contain other URLs. */
interface SchemeRow {
  readonly name: WrappingScheme;
  /** Matches the start of a URL. */
  readonly start: RegExp;
  /** Returns the URLs inside. `rest` is the text after the start. */
  readonly open: (rest: string) => readonly string[];
}

const itself = (rest: string) => [rest];

/** Schemes whose URLs contain other URLs. Control characters and spaces before a scheme are allowed, as in browsers. */
export const SCHEMES: readonly SchemeRow[] = [
  // Browsers show the source of the page at the URL.
  { name: "view-source", start: /^[\0- ]*view-source:/i, open: itself },
  // File API, "The Blob URL store": blob:ORIGIN/ID. Only the origin matters; the object is in the memory of a browser.
  { name: "blob", start: /^[\0- ]*blob:/i, open: itself },
  // W3C File API: Directories and System, formerly in Chromium: filesystem:ORIGIN/temporary/PATH
  { name: "filesystem", start: /^[\0- ]*filesystem:/i, open: itself },
  // Chrome for Developers, "Android Intents with Chrome":
  // intent://HOST/PATH#Intent;scheme=https;S.browser_fallback_url=URL;end
  { name: "intent", start: /^[\0- ]*intent:/i, open: intentUrls },
];

/** The URL that an app gets and the one that Chrome opens if the app is not installed. */
function intentUrls(rest: string): readonly string[] {
  const hash = rest.lastIndexOf("#Intent;");
  if (hash < 0) return [rest];
  const extras = rest.slice(hash + "#Intent;".length).split(";");
  const values = (name: string) =>
    extras.flatMap((extra) => (extra.startsWith(`${name}=`) ? [extra.slice(name.length + 1)] : []));
  const data = rest.slice(0, hash);
  const schemes = values("scheme");
  return [
    // Without the `scheme` extra, the data is a URL with a scheme of its own.
    ...(schemes.length === 0 ? [data] : schemes.map((scheme) => `${scheme}:${data}`)),
    ...values("S.browser_fallback_url").map(decodePercents),
  ];
}
