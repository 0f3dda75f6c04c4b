/** The kind of threat of a listed entry. Only browsers use the kinds after the first four. */
export type ThreatType =
  | "MALWARE"
  | "SOCIAL_ENGINEERING"
  | "UNWANTED_SOFTWARE"
  | "POTENTIALLY_HARMFUL_APPLICATION"
  | "SOCIAL_ENGINEERING_INTERNAL"
  | "API_ABUSE"
  | "MALICIOUS_BINARY"
  | "CSD_ALLOWLIST"
  | "CSD_DOWNLOAD_ALLOWLIST"
  | "CLIENT_INCIDENT"
  | "CLIENT_INCIDENT_ALLOWLIST"
  | "APK_MALWARE_OFFLINE"
  | "SUBRESOURCE_FILTER"
  | "SUSPICIOUS"
  | "TRICK_TO_BILL"
  | "HIGH_CONFIDENCE_ALLOWLIST";

/** The names, followed by older or alternative names that are read but not written. */
export const THREAT_TYPES: Readonly<Record<ThreatType, number>> = {
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
  ...{
    SOCIAL_ENGINEERING_PUBLIC: 2,
    CSD_WHITELIST: 8,
    CSD_DOWNLOAD_WHITELIST: 9,
    CLIENT_INCIDENT_WHITELIST: 11,
  },
};

export type PlatformType =
  | "WINDOWS"
  | "LINUX"
  | "ANDROID"
  | "OSX"
  | "IOS"
  | "ANY_PLATFORM"
  | "ALL_PLATFORMS"
  | "CHROME";

export const PLATFORM_TYPES: Readonly<Record<PlatformType, number>> = {
  WINDOWS: 1,
  LINUX: 2,
  ANDROID: 3,
  OSX: 4,
  IOS: 5,
  ANY_PLATFORM: 6,
  ALL_PLATFORMS: 7,
  CHROME: 8,
};

export type ThreatEntryType =
  | "URL"
  | "EXECUTABLE"
  | "IP_RANGE"
  | "CHROME_EXTENSION"
  | "FILENAME"
  | "CERT";

export const THREAT_ENTRY_TYPES: Readonly<Record<ThreatEntryType, number>> = {
  URL: 1,
  EXECUTABLE: 2,
  IP_RANGE: 3,
  CHROME_EXTENSION: 4,
  FILENAME: 5,
  CERT: 6,
};

export type CompressionType = "RAW" | "RICE";

export const COMPRESSION_TYPES: Readonly<Record<CompressionType, number>> = { RAW: 1, RICE: 2 };

export type ResponseType = "PARTIAL_UPDATE" | "FULL_UPDATE";

export const RESPONSE_TYPES: Readonly<Record<ResponseType, number>> = {
  PARTIAL_UPDATE: 1,
  FULL_UPDATE: 2,
};
