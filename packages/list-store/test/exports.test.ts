import * as listStore from "@x/list-store";
import * as http from "@x/list-store/http";
import * as node from "@x/list-store/node";
import * as s3 from "@x/list-store/s3";
import * as serving from "@x/list-store/serving";
import { expect, test } from "vitest";

test("the package exports these names", () => {
  expect(Object.keys(listStore).sort()).toEqual([
    "PREFIX_LENGTHS",
    "StoreError",
    "UNFINISHED_FOLDER",
    "checkFolder",
    "checkKey",
    "checkListName",
    "checkPublicKey",
    "checkTimes",
    "collectGarbage",
    "copyList",
    "findFullHashes",
    "generateSigningKey",
    "isListName",
    "isSignedByOne",
    "listNames",
    "loadList",
    "longestFile",
    "memoryStorage",
    "parseEntry",
    "publicKeysIn",
    "publish",
    "readContents",
    "readEntry",
    "readHistory",
    "readNewest",
    "readPrevious",
    "readSnapshot",
    "readUnprovenKeys",
    "renew",
    "retire",
    "rollBack",
    "signerOf",
    "textOfNote",
    "upgradeList",
    "withdraw",
  ]);
  expect(Object.keys(http)).toEqual(["httpStorage"]);
  expect(Object.keys(node).sort()).toEqual([
    "directoryStorage",
    "ifThere",
    "readRegularFile",
    "writeWhole",
  ]);
  expect(Object.keys(s3)).toEqual(["s3Environment", "s3Storage"]);
  expect(Object.keys(serving).sort()).toEqual([
    "NEVER",
    "PREFIX_BYTES",
    "bytesOf",
    "changeBetween",
    "differencesTo",
    "entriesIn",
    "getShard",
    "hasPrefix",
    "hashesIn",
    "longerChangeBetween",
    "makeDifference",
    "makeMentions",
    "makeSnapshot",
    "openList",
    "readHint",
    "wordsOf",
  ]);
});
