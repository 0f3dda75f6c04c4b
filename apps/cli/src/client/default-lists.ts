import type { ProtocolName } from "@x/client";
import { Failure } from "@x/command-line";

/** The names of the default lists, for servers that have Google's lists. */
const THREATS = ["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE"];
const USUAL_LISTS: Readonly<Record<ProtocolName, readonly string[] | null>> = {
  v5: ["mw-4b", "se-4b", "uws-4b"],
  v4: THREATS,
  "web-risk": THREATS,
  store: null,
};

/**
 * Returns the names of the given lists or, if there are none, of the protocol's default lists.
 *
 * @throws {Failure} when no lists are given and the protocol has no default lists.
 */
export function listNames(given: readonly string[] | undefined, protocol: ProtocolName): string[] {
  const names = given?.flatMap((text) => text.split(",")).map((name) => name.trim());
  const lists = names ?? USUAL_LISTS[protocol];
  if (lists === null) {
    throw new Failure("name the lists of the store, as in --lists malware,phishing");
  }
  return [...new Set(lists)];
}
