/** The numbers of threat types, the same ones in all three protocols. */
export const THREATS = { MALWARE: 1, SOCIAL_ENGINEERING: 2, UNWANTED_SOFTWARE: 3 };
export const PLATFORMS = {
  WINDOWS: 1,
  LINUX: 2,
  ANDROID: 3,
  OSX: 4,
  IOS: 5,
  ANY_PLATFORM: 6,
  ALL_PLATFORMS: 7,
  CHROME: 8,
};
export const ENTRIES = { URL: 1, EXECUTABLE: 2, IP_RANGE: 3 };
export const COMPRESSIONS = { RAW: 1, RICE: 2 };
export const nameIn = (names, value) =>
  Object.keys(names).find((name) => name === value || names[name] === Number(value)) ??
  String(value);
