import { createHash } from "node:crypto";
import { WebRiskServiceClient } from "@google-cloud/web-risk";
import { PassThroughClient } from "google-auth-library";

const THREAT_TYPES = ["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE"];
const AT_ONCE = 64;

/** Google's client for Web Risk, which uses REST on a port of 127.0.0.1. */
export function webRiskClient({ port }) {
  const client = new WebRiskServiceClient({
    apiEndpoint: "127.0.0.1",
    port,
    protocol: "http",
    fallback: true,
    authClient: new PassThroughClient(),
  });
  const refusals = new Map();
  async function isListed(uri) {
    try {
      const [{ threat }] = await client.searchUris({ uri, threatTypes: THREAT_TYPES });
      return threat !== null;
    } catch (error) {
      if (error.code !== 400) throw error;
      refusals.set(uri, error.details ?? error.message);
      return false;
    }
  }
  return {
    client,
    /** The reasons why the server refused some URLs in the last call to `blocks`. */
    refusals,
    /** Whether each URL is listed; URLs that the server refuses are not. Other errors are thrown. */
    async blocks(urls) {
      refusals.clear();
      const verdicts = [];
      const rest = urls.entries();
      const worker = async () => {
        for (const [i, url] of rest) verdicts[i] = await isListed(url);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return verdicts;
    },
    database: (threatType, compression) => database(client, threatType, compression),
    stop: () => client.close(),
  };
}

/** The ascending numbers of a Rice-coded message. */
function readRice({ firstValue, riceParameter, entryCount, encodedData }) {
  const numbers = [Number(firstValue)];
  let bit = 0;
  const nextBit = () => (encodedData[bit >> 3] >> (bit++ & 7)) & 1;
  for (let left = entryCount; left > 0; left--) {
    let quotient = 0;
    while (nextBit() === 1) quotient++;
    let rest = 0;
    for (let i = 0; i < riceParameter; i++) rest += nextBit() * 2 ** i;
    numbers.push(numbers.at(-1) + quotient * 2 ** riceParameter + rest);
  }
  return numbers;
}

function prefixesOf({ rawHashes, riceHashes }) {
  const raw = rawHashes.flatMap((each) =>
    Buffer.from(each.rawHashes).toString("hex").match(/.{8}/g),
  );
  const coded = (riceHashes === null ? [] : readRice(riceHashes)).map((number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(number);
    return bytes.toString("hex");
  });
  return [...raw, ...coded];
}

function indicesOf({ rawIndices, riceIndices }) {
  return rawIndices?.indices ?? readRice(riceIndices);
}

/** The hash prefixes of one list, kept as Google's guide says: removals by index, additions, and then the checksum. */
function database(client, threatType, compression) {
  let prefixes = [];
  let versionToken = Buffer.alloc(0);
  return {
    has: (prefix) => prefixes.includes(prefix.toString("hex")),
    /** Asks for an update, applies it, and returns its message. */
    async update() {
      const [diff] = await client.computeThreatListDiff({
        threatType,
        versionToken,
        constraints: { supportedCompressions: [compression] },
      });
      const { responseType, additions, removals, checksum } = diff;
      const removed = new Set(removals === null ? [] : indicesOf(removals));
      const kept = responseType === "RESET" ? [] : prefixes.filter((_, i) => !removed.has(i));
      const updated = [...kept, ...(additions === null ? [] : prefixesOf(additions))].sort();
      const sha256 = createHash("sha256")
        .update(Buffer.from(updated.join(""), "hex"))
        .digest();
      if (!sha256.equals(Buffer.from(checksum.sha256))) throw new Error("the checksum is wrong");
      prefixes = updated;
      versionToken = diff.newVersionToken;
      return diff;
    },
  };
}
