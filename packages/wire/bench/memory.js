// The most memory that a decoded update takes for each byte of its message: `node --expose-gc bench/memory.js`.
// Only on Linux, after `pnpm --filter @x/wire build`. Usage: memory.js [megabytes, such as 16]

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { decodeJson, decodeMessage, encodeJson, encodeMessage } from "@x/wire";
import { fetchThreatListUpdates, fromListUpdateResponse } from "@x/wire/v4";
import { fromHashList, getHashList } from "@x/wire/v5";

const [, file, megabytes = "16", form] = process.argv;
const length = Number(megabytes) * 1e6;
const sha256 = new Uint8Array(32);

/** The shortest codes with this parameter: all deltas are 1. */
function shortCodes(riceParameter, codedBytes) {
  const bits = riceParameter + 1;
  const count = Math.floor((codedBytes * 8) / bits);
  const encodedData = new Uint8Array(Math.ceil((count * bits) / 8));
  for (let i = 0; i < count; i++) {
    const bit = i * bits + 1;
    encodedData[bit >> 3] |= 1 << (bit & 7);
  }
  return { firstValue: 0, riceParameter, entriesCount: count, encodedData };
}

const { response: v5 } = getHashList;
const { response: v4 } = fetchThreatListUpdates;

const v5Form = (field) => {
  const message = { name: "mw-4b", partialUpdate: true, sha256Checksum: sha256 };
  const bytes = encodeMessage(v5, { ...message, [field]: shortCodes(3, length) });
  return [bytes, () => fromHashList(decodeMessage(v5, bytes))];
};
const v4Message = (sets) => ({
  listUpdateResponses: [
    {
      ...{ threatType: "MALWARE", platformType: "ANY_PLATFORM", threatEntryType: "URL" },
      ...{ responseType: "PARTIAL_UPDATE", checksum: { sha256 }, ...sets },
    },
  ],
});
const fromV4 = ({ listUpdateResponses: [first] }) =>
  fromListUpdateResponse(first, { maxEntries: 2 ** 31 });
const v4Form = (field, name) => {
  const { entriesCount: numEntries, ...codes } = shortCodes(2, length);
  const sets = { [field]: [{ compressionType: "RICE", [name]: { ...codes, numEntries } }] };
  const bytes = encodeMessage(v4, v4Message(sets));
  return [bytes, () => fromV4(decodeMessage(v4, bytes))];
};
/** All indices are 1, which is refused when all of them are decoded. */
const rawForm = (encode, decode, bytesEach) => {
  const indices = new Array(length / bytesEach).fill(1);
  const removals = [{ compressionType: "RAW", rawIndices: { indices } }];
  const message = encode(v4, v4Message({ removals }));
  const run = () => {
    try {
      fromV4(decode(v4, message));
    } catch (error) {
      if (error.code !== "removals-wrong") throw error;
    }
  };
  return [message, run];
};

const FORMS = {
  "v5, additions": () => v5Form("additionsFourBytes"),
  "v5, removals": () => v5Form("compressedRemovals"),
  "v4, additions": () => v4Form("additions", "riceHashes"),
  "v4, removals": () => v4Form("removals", "riceIndices"),
  "v4, raw removals": () => rawForm(encodeMessage, decodeMessage, 2),
  "v4, raw removals in JSON": () => rawForm(encodeJson, decodeJson, 2),
};

const memory = (name) =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"))[1]) *
  1024;

if (form === undefined) {
  for (const name of Object.keys(FORMS)) {
    spawnSync(process.execPath, ["--expose-gc", file, megabytes, name], { stdio: "inherit" });
  }
} else {
  const [message, run] = FORMS[form]();
  globalThis.gc();
  // Resets the peak.
  writeFileSync("/proc/self/clear_refs", "5");
  const before = memory("VmRSS");
  run();
  const factor = (memory("VmHWM") - before) / message.length;
  console.log(`${form}: ${factor.toFixed(1)} bytes for each byte of ${message.length}`);
}
