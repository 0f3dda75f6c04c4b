import type { ThreatType as V4ThreatType } from "./v4/enums.ts";
import type { LikelySafeType, ThreatType as V5ThreatType } from "./v5/hash-list.ts";
import type { ThreatType as WebRiskThreatType } from "./web-risk/methods.ts";

/** The names of one list in each API. If an API does not have the list, its name there is `null`, or `[]` in v4. */
export interface ThreatList {
  /** The name for people and configurations: `"malware"`. */
  readonly name: string;
  /** The name of the list in v5: `"mw-4b"`. */
  readonly v5: string | null;
  /** The threat type that v5 reports for a full hash of the list; `null` for lists that only browsers use. */
  readonly v5ThreatType: V5ThreatType | null;
  /** For a list of safe sites, the purpose for which v5 calls the sites safe; `null` for other lists. */
  readonly v5LikelySafeType: LikelySafeType | null;
  /** The threat types in v4. A server serves the same list for each of these types. */
  readonly v4: readonly V4ThreatType[];
  readonly webRisk: WebRiskThreatType | null;
}

/** A list with a threat type in v5. */
function threat(
  name: string,
  v5: string | null,
  type: V5ThreatType & V4ThreatType,
  webRisk: WebRiskThreatType | null = null,
  more: readonly V4ThreatType[] = [],
): ThreatList {
  return { name, v5, v5ThreatType: type, v5LikelySafeType: null, v4: [type, ...more], webRisk };
}

/** A list that only browsers use. */
function browserList(
  name: string,
  v5: string | null,
  v4: V4ThreatType | null,
  v5LikelySafeType: LikelySafeType | null = null,
): ThreatList {
  const types = v4 === null ? [] : [v4];
  return { name, v5, v5ThreatType: null, v5LikelySafeType, v4: types, webRisk: null };
}

/**
 * The lists that clients of Safe Browsing and Web Risk request.
 *
 * For a list that only your own clients know, add a row of the same form: `[...THREAT_LISTS, row]`.
 *
 * @example
 * ```ts
 * import { findThreatList, THREAT_LISTS, type ThreatList } from "@x/wire";
 *
 * const intranet: ThreatList = {
 *   name: "intranet", v5: "intranet-4b", v5ThreatType: "MALWARE", v5LikelySafeType: null, v4: [], webRisk: null,
 * };
 * const lists = [...THREAT_LISTS, intranet];
 * findThreatList({ v5: "intranet-4b" }, lists)?.name; // → "intranet"
 * ```
 */
export const THREAT_LISTS: readonly ThreatList[] = [
  threat("malware", "mw-4b", "MALWARE", "MALWARE"),
  // In v4, Firefox requests this list as threat type 5, which the API calls internal.
  threat("social-engineering", "se-4b", "SOCIAL_ENGINEERING", "SOCIAL_ENGINEERING", [
    "SOCIAL_ENGINEERING_INTERNAL",
  ]),
  threat("unwanted-software", "uws-4b", "UNWANTED_SOFTWARE", "UNWANTED_SOFTWARE"),
  threat("potentially-harmful-application", "pha-4b", "POTENTIALLY_HARMFUL_APPLICATION"),
  {
    ...threat("unwanted-software-android", "uwsa-4b", "UNWANTED_SOFTWARE"),
    v4: [],
  },
  {
    ...threat("social-engineering-extended-coverage", null, "SOCIAL_ENGINEERING"),
    v4: [],
    webRisk: "SOCIAL_ENGINEERING_EXTENDED_COVERAGE",
  },
  browserList("malicious-binary", "mwb-4b", "MALICIOUS_BINARY"),
  browserList("global-cache", "gc-32b", null, "GENERAL_BROWSING"),
  browserList("client-side-detection-allowlist", "csda-32b", "CSD_ALLOWLIST", "CSD"),
  browserList("download-allowlist", "csdda-32b", "CSD_DOWNLOAD_ALLOWLIST", "DOWNLOAD"),
  browserList("high-confidence-allowlist", null, "HIGH_CONFIDENCE_ALLOWLIST"),
  browserList("billing", "bi-4b", "TRICK_TO_BILL"),
  browserList("subresource-filter", "srf-4b", "SUBRESOURCE_FILTER"),
  browserList("suspicious", "sus-4b", "SUSPICIOUS"),
  browserList("api-abuse", null, "API_ABUSE"),
  browserList("malicious-extension", "mcrx-16b", null),
];

/** The name of a list in configurations, or its name in one API. */
export type ThreatListName =
  | { readonly name: string }
  | { readonly v5: string }
  | { readonly v4: V4ThreatType }
  | { readonly webRisk: WebRiskThreatType };

/**
 * Returns the row of the list with this name, or `null` if there is none.
 *
 * @example
 * ```ts
 * import { findThreatList } from "@x/wire";
 *
 * findThreatList({ webRisk: "MALWARE" })?.v5; // → "mw-4b"
 * findThreatList({ v5: "se-4b" })?.v4; // → ["SOCIAL_ENGINEERING", "SOCIAL_ENGINEERING_INTERNAL"]
 * findThreatList({ name: "weather" }); // → null
 * ```
 */
export function findThreatList(
  asked: ThreatListName,
  lists: readonly ThreatList[] = THREAT_LISTS,
): ThreatList | null {
  const isAsked = (list: ThreatList): boolean => {
    if ("name" in asked) return list.name === asked.name;
    if ("v5" in asked) return list.v5 === asked.v5;
    if ("v4" in asked) return list.v4.includes(asked.v4);
    return list.webRisk === asked.webRisk;
  };
  return lists.find(isAsked) ?? null;
}
