import * as wire from "@x/wire";
import * as v4 from "@x/wire/v4";
import * as v5 from "@x/wire/v5";
import * as webRisk from "@x/wire/web-risk";
import { expect, test } from "vitest";

test("the package exports these names", () => {
  expect(Object.keys(wire).sort()).toEqual([
    "THREAT_LISTS",
    "WireError",
    "applyUpdate",
    "decodeJson",
    "decodeMessage",
    "encodeJson",
    "encodeMessage",
    "findThreatList",
    "fullUpdate",
    "hasMoreJsonValues",
    "partialUpdate",
    "readProtobufResponse",
    "readRequest",
    "readResponse",
    "writeRequest",
    "writeResponse",
    "writeResponseParts",
  ]);
  expect(Object.keys(v5).sort()).toEqual([
    "V5_METHODS",
    "batchGetHashLists",
    "fromHashList",
    "getHashList",
    "hashListsInOrder",
    "listHashLists",
    "searchHashes",
    "searchUrls",
    "toHashList",
  ]);
  expect(Object.keys(v4).sort()).toEqual([
    "V4_METHODS",
    "fetchThreatListUpdates",
    "findFullHashes",
    "findThreatMatches",
    "fromListUpdateResponse",
    "listThreatLists",
    "listUpdatesInOrder",
    "toListUpdateResponse",
  ]);
  expect(Object.keys(webRisk).sort()).toEqual([
    "WEB_RISK_METHODS",
    "computeThreatListDiff",
    "fromThreatListDiff",
    "searchHashes",
    "searchUris",
    "toThreatListDiff",
  ]);
});
