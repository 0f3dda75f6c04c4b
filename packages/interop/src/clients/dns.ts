import { tryParseUrlAsBrowser } from "@x/canon/browser";
import { isZoneName } from "../zone-names.ts";
import { type Reading, readingOf, unreadable } from "./reading.ts";

/**
 * A resolver with the response policy zone of the entries that are whole hosts, as a list server writes it. It sees
 * names only: no path, and no address. A host of two to five labels is blocked with all hosts below it.
 *
 * Measured on unbound 1.17.
 */
export function readAsDns(url: string): Reading {
  const parsed = tryParseUrlAsBrowser(url);
  if (parsed === null) return unreadable("not-loadable");
  const { host, hostType } = parsed;
  if (hostType !== "domain") return unreadable("address");
  if (!isZoneName(host)) return unreadable("not-a-name");
  return readingOf({ host, hostType, path: "/", query: null });
}
