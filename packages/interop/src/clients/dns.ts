import { tryParseUrlAsBrowser } from "@x/canon/browser";
import { type Reading, unreadable } from "./reading.ts";

const MAX_NAME = 253;

/**
 * A resolver with a response policy zone of the entries that are whole hosts. It sees names only: no path, and no
 * address. A name is blocked with all names below it.
 */
export function readAsDns(url: string): Reading {
  const parsed = tryParseUrlAsBrowser(url);
  if (parsed === null) return unreadable("not-loadable");
  if (parsed.hostType !== "domain") return unreadable("address");
  if (parsed.host.length > MAX_NAME) return unreadable("not-loadable");
  const labels = parsed.host.split(".");
  const texts = labels.map((_, i) => `${labels.slice(i).join(".")}/`);
  return { exact: texts[0]!, texts, problem: null };
}
