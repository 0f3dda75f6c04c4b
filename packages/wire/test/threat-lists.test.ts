import { findThreatList, THREAT_LISTS, type ThreatList } from "@x/wire";
import { expect, test } from "vitest";

const NAMES = [
  ["malware", "mw-4b", "MALWARE", "MALWARE"],
  ["social-engineering", "se-4b", "SOCIAL_ENGINEERING", "SOCIAL_ENGINEERING"],
  ["unwanted-software", "uws-4b", "UNWANTED_SOFTWARE", "UNWANTED_SOFTWARE"],
  ["potentially-harmful-application", "pha-4b", "POTENTIALLY_HARMFUL_APPLICATION", null],
  ["malicious-binary", "mwb-4b", "MALICIOUS_BINARY", null],
  ["download-allowlist", "csdda-32b", "CSD_DOWNLOAD_ALLOWLIST", null],
] as const;

test.each(NAMES)("%s", (name, v5, v4, webRisk) => {
  const list = findThreatList({ name })!;
  expect(list).toMatchObject({ v5, webRisk });
  expect(list.v4[0]).toBe(v4);
  expect(findThreatList({ v5 })).toBe(list);
  expect(findThreatList({ v4 })).toBe(list);
  if (webRisk !== null) expect(findThreatList({ webRisk })).toBe(list);
});

test("each name of each API leads to one list", () => {
  const distinct = (values: readonly (string | null)[]) => {
    const given = values.filter((value) => value !== null);
    expect(new Set(given).size).toBe(given.length);
  };
  distinct(THREAT_LISTS.map(({ name }) => name));
  distinct(THREAT_LISTS.map(({ v5 }) => v5));
  distinct(THREAT_LISTS.flatMap(({ v4 }) => v4));
  distinct(THREAT_LISTS.map(({ webRisk }) => webRisk));
});

test("type 5, for which Firefox asks in v4, is the list of type 2", () => {
  const asked = findThreatList({ v4: "SOCIAL_ENGINEERING_INTERNAL" });
  expect(asked).toBe(findThreatList({ v4: "SOCIAL_ENGINEERING" }));
});

test("callers can add lists of their own", () => {
  const own: ThreatList = {
    name: "own",
    v5: "own-8b",
    v5ThreatType: null,
    v5LikelySafeType: "GENERAL_BROWSING",
    v4: [],
    webRisk: null,
  };
  expect(findThreatList({ v5: "own-8b" })).toBeNull();
  expect(findThreatList({ v5: "own-8b" }, [...THREAT_LISTS, own])).toBe(own);
});
