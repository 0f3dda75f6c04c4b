export const THREAT_TYPES = {
  MALWARE: 1,
  SOCIAL_ENGINEERING: 2,
  UNWANTED_SOFTWARE: 3,
  POTENTIALLY_HARMFUL_APPLICATION: 4,
} as const;

/** The kind of threat of a listed URL. */
export type ThreatType = keyof typeof THREAT_TYPES;

export const LIKELY_SAFE_TYPES = { GENERAL_BROWSING: 1, CSD: 2, DOWNLOAD: 3 } as const;

/** The purpose for which a URL on a list of safe sites is safe. */
export type LikelySafeType = keyof typeof LIKELY_SAFE_TYPES;

export const THREAT_ATTRIBUTES = { CANARY: 1, FRAME_ONLY: 2 } as const;

/** A restriction on a threat: clients must not enforce it (`CANARY`), or enforce it only on frames (`FRAME_ONLY`). */
export type ThreatAttribute = keyof typeof THREAT_ATTRIBUTES;

export const HASH_LENGTHS = {
  FOUR_BYTES: 2,
  EIGHT_BYTES: 3,
  SIXTEEN_BYTES: 4,
  THIRTY_TWO_BYTES: 5,
} as const;

/** The length of the hash prefixes on a list. */
export type HashLength = keyof typeof HASH_LENGTHS;
