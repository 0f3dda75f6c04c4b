const WRITTEN_THREAT_TYPES = {
  MALWARE: 1,
  SOCIAL_ENGINEERING: 2,
  UNWANTED_SOFTWARE: 3,
  POTENTIALLY_HARMFUL_APPLICATION: 4,
  SOCIAL_ENGINEERING_INTERNAL: 5,
  API_ABUSE: 6,
  MALICIOUS_BINARY: 7,
  CSD_ALLOWLIST: 8,
  CSD_DOWNLOAD_ALLOWLIST: 9,
  CLIENT_INCIDENT: 10,
  CLIENT_INCIDENT_ALLOWLIST: 11,
  APK_MALWARE_OFFLINE: 12,
  SUBRESOURCE_FILTER: 13,
  SUSPICIOUS: 14,
  TRICK_TO_BILL: 15,
  HIGH_CONFIDENCE_ALLOWLIST: 16,
} as const;

/** The kind of threat of a listed entry. Only browsers use the kinds after the first four. */
export type ThreatType = keyof typeof WRITTEN_THREAT_TYPES;

/** Older or alternative names, which are read but not written. */
const OTHER_THREAT_TYPES = {
  SOCIAL_ENGINEERING_PUBLIC: 2,
  CSD_WHITELIST: 8,
  CSD_DOWNLOAD_WHITELIST: 9,
  CLIENT_INCIDENT_WHITELIST: 11,
} as const;

/** All names. If several names share a number, the first one is written. */
export const THREAT_TYPES: Readonly<Record<ThreatType, number>> = {
  ...WRITTEN_THREAT_TYPES,
  ...OTHER_THREAT_TYPES,
};

export const PLATFORM_TYPES = {
  WINDOWS: 1,
  LINUX: 2,
  ANDROID: 3,
  OSX: 4,
  IOS: 5,
  ANY_PLATFORM: 6,
  ALL_PLATFORMS: 7,
  CHROME: 8,
} as const;

export type PlatformType = keyof typeof PLATFORM_TYPES;

export const THREAT_ENTRY_TYPES = {
  URL: 1,
  EXECUTABLE: 2,
  IP_RANGE: 3,
  CHROME_EXTENSION: 4,
  FILENAME: 5,
  CERT: 6,
} as const;

export type ThreatEntryType = keyof typeof THREAT_ENTRY_TYPES;

export const COMPRESSION_TYPES = { RAW: 1, RICE: 2 } as const;

export type CompressionType = keyof typeof COMPRESSION_TYPES;

export const RESPONSE_TYPES = { PARTIAL_UPDATE: 1, FULL_UPDATE: 2 } as const;

export type ResponseType = keyof typeof RESPONSE_TYPES;
