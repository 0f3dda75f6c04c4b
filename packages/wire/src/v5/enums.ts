/** The kind of threat that a listed URL is. */
export type ThreatType =
  | "MALWARE"
  | "SOCIAL_ENGINEERING"
  | "UNWANTED_SOFTWARE"
  | "POTENTIALLY_HARMFUL_APPLICATION";

export const THREAT_TYPES: Readonly<Record<ThreatType, number>> = {
  MALWARE: 1,
  SOCIAL_ENGINEERING: 2,
  UNWANTED_SOFTWARE: 3,
  POTENTIALLY_HARMFUL_APPLICATION: 4,
};

/** The purpose that a URL on a list of safe sites is safe for. */
export type LikelySafeType = "GENERAL_BROWSING" | "CSD" | "DOWNLOAD";

export const LIKELY_SAFE_TYPES: Readonly<Record<LikelySafeType, number>> = {
  GENERAL_BROWSING: 1,
  CSD: 2,
  DOWNLOAD: 3,
};

/** How a threat is to be used: not at all yet (`CANARY`), or for frames only. */
export type ThreatAttribute = "CANARY" | "FRAME_ONLY";

export const THREAT_ATTRIBUTES: Readonly<Record<ThreatAttribute, number>> = {
  CANARY: 1,
  FRAME_ONLY: 2,
};

/** The length of the hash prefixes on a list. */
export type HashLength = "FOUR_BYTES" | "EIGHT_BYTES" | "SIXTEEN_BYTES" | "THIRTY_TWO_BYTES";

export const HASH_LENGTHS: Readonly<Record<HashLength, number>> = {
  FOUR_BYTES: 2,
  EIGHT_BYTES: 3,
  SIXTEEN_BYTES: 4,
  THIRTY_TWO_BYTES: 5,
};
