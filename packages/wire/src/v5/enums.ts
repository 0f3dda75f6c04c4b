/** The kind of threat of a listed URL. */
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

/** The purpose for which a URL on a list of safe sites is safe. */
export type LikelySafeType = "GENERAL_BROWSING" | "CSD" | "DOWNLOAD";

export const LIKELY_SAFE_TYPES: Readonly<Record<LikelySafeType, number>> = {
  GENERAL_BROWSING: 1,
  CSD: 2,
  DOWNLOAD: 3,
};

/** How to use a threat: not at all yet (`CANARY`), or only for frames. */
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
