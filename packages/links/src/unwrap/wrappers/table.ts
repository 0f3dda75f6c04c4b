import { COPIES } from "./copies.ts";
import { MAIL_FILTERS } from "./mail-filters.ts";
import { REDIRECTS } from "./redirects.ts";
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
