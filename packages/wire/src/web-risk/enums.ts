export const THREAT_TYPES = {
  MALWARE: 1,
  SOCIAL_ENGINEERING: 2,
  UNWANTED_SOFTWARE: 3,
  SOCIAL_ENGINEERING_EXTENDED_COVERAGE: 4,
} as const;

/** The kind of threat of a listed URL. */
export type ThreatType = keyof typeof THREAT_TYPES;

export const COMPRESSION_TYPES = { RAW: 1, RICE: 2 } as const;

export type CompressionType = keyof typeof COMPRESSION_TYPES;

export const RESPONSE_TYPES = { DIFF: 1, RESET: 2 } as const;

export type ResponseType = keyof typeof RESPONSE_TYPES;
