/** The kind of threat of a listed URL. */
export type ThreatType =
  | "MALWARE"
  | "SOCIAL_ENGINEERING"
  | "UNWANTED_SOFTWARE"
  | "SOCIAL_ENGINEERING_EXTENDED_COVERAGE";

export const THREAT_TYPES: Readonly<Record<ThreatType, number>> = {
  MALWARE: 1,
  SOCIAL_ENGINEERING: 2,
  UNWANTED_SOFTWARE: 3,
  SOCIAL_ENGINEERING_EXTENDED_COVERAGE: 4,
};

export type CompressionType = "RAW" | "RICE";

export const COMPRESSION_TYPES: Readonly<Record<CompressionType, number>> = { RAW: 1, RICE: 2 };

export type ResponseType = "DIFF" | "RESET";

export const RESPONSE_TYPES: Readonly<Record<ResponseType, number>> = { DIFF: 1, RESET: 2 };
