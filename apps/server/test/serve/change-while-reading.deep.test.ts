import { createCipheriv, createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { memoryStorage } from "@x/list-store";
import { readResponse } from "@x/wire";
import { fetchThreatListUpdates, type ListUpdateResponse, type PlatformType } from "@x/wire/v4";
import { expect, onTestFinished, test } from "vitest";
import { newSigner, publisher } from "../../../../packages/list-store/test/support/publishing.ts";
import { startLoggedServer } from "../support/logged-server.ts";

const HASH_BYTES = 32;
const PREFIX_BYTES = 4;
const ENTRIES = 200_000;
/**
 * So many platforms that the prefixes of the list, in base64 and once for each platform, take more bytes than the
 * system buffers for a connection.
 */
const PLATFORMS = [
  ...(["ANY_PLATFORM", "ALL_PLATFORMS", "WINDOWS", "LINUX"] as const),
  ...(["OSX", "ANDROID", "IOS", "CHROME"] as const),
];

/** Full hashes that depend only on a number. */
function hashes(count: number, number: number): Buffer {
  const cipher = createCipheriv("aes-128-ctr", Buffer.alloc(16, number), Buffer.alloc(16));
  return cipher.update(Buffer.alloc(count * HASH_BYTES));
}

/** The request for the updates of the list on these platforms. */
function request(platforms: readonly PlatformType[], state: Uint8Array): string {
  const listUpdateRequests = platforms.map((platformType) => ({
    ...{ threatType: "MALWARE", platformType, threatEntryType: "URL", state: base64(state) },
    constraints: { supportedCompressions: ["RAW"] },
  }));
  const body = JSON.stringify({ listUpdateRequests });
  return `POST /v4/threatListUpdates:fetch HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** Parses the updates in an answer that begins with its HTTP head. */
function updatesIn(pieces: readonly Buffer[]): readonly ListUpdateResponse[] {
  const answer = Buffer.concat(pieces);
  const body = answer.subarray(answer.indexOf("\r\n\r\n") + 4);
  return readResponse(fetchThreatListUpdates, body, "application/json").listUpdateResponses;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** The prefixes that an update adds. */
const added = ({ additions }: ListUpdateResponse) =>
  Buffer.concat(additions.map(({ rawHashes }) => rawHashes!.rawHashes));

const sha256 = (bytes: Uint8Array) => base64(createHash("sha256").update(bytes).digest());

function inPrefixes(bytes: Buffer): Buffer[] {
  const prefixes: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += PREFIX_BYTES) {
    prefixes.push(bytes.subarray(at, at + PREFIX_BYTES));
  }
  return prefixes;
}

test("a client that reads a long list while it changes gets the old list whole, and then the difference", async () => {
  const storage = memoryStorage();
  const signer = await newSigner();
  const publish = publisher(storage, signer);
  const first = hashes(ENTRIES, 1);
  await publish("malware", [], { fullHashes: [first] });
  const server = await startLoggedServer(storage, signer);
  onTestFinished(() => server.stop());

  const ask = (text: string) => {
    const socket = connect(Number(new URL(server.origin).port), "127.0.0.1");
    socket.write(text);
    return socket;
  };
  const socket = ask(request(PLATFORMS, new Uint8Array(0)));
  const [begin] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  const fresh = hashes(10, 2);
  const changed = Buffer.concat([first.subarray(10 * HASH_BYTES), fresh]);
  await publish("malware", [], { fullHashes: [changed] });
  await expect.poll(() => server.lists.refresh(), { timeout: 60_000 }).toBe(true);
  // The log contains an answer only after it has been sent.
  expect(server.log()).not.toContain("threatListUpdates");

  const pieces = [begin];
  for await (const piece of socket) pieces.push(piece);
  const whole = updatesIn(pieces);
  expect(whole).toHaveLength(PLATFORMS.length);
  const old = added(whole[0]!);
  for (const update of whole) {
    expect(update.responseType).toBe("FULL_UPDATE");
    expect(base64(update.checksum!.sha256)).toBe(sha256(old));
    expect(added(update).equals(old)).toBe(true);
  }

  const next: Buffer[] = [];
  const state = whole[0]!.newClientState;
  for await (const piece of ask(request(["ANY_PLATFORM"], state))) next.push(piece);
  const [difference] = updatesIn(next);
  expect(difference!.responseType).toBe("PARTIAL_UPDATE");
  const gone = new Set(difference!.removals.flatMap(({ rawIndices }) => rawIndices!.indices));
  expect(gone.size).toBe(10);
  const left = inPrefixes(old).filter((_, i) => !gone.has(i));
  const now = [...left, ...inPrefixes(added(difference!))].sort(Buffer.compare);
  expect(base64(difference!.checksum!.sha256)).toBe(sha256(Buffer.concat(now)));
});
