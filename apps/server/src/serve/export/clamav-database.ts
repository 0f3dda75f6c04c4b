import { counted } from "@x/explain/counted";
import type { OpenList } from "@x/list-store/serving";
import { FULL_HASH_BYTES } from "@x/sha256-prefix";
import type { ExportedText } from "./exported-text.ts";

/*
 * A ClamAV database for links in mail has one line for each full hash. Lines for prefixes (`S1:P:`) would only waste memory, because ClamAV looks up only full hashes. `S1` makes ClamAV report `Heuristics.Phishing.URL.Blocked`.
 */

const LINE_START = "S1:F:";
const LINE_BYTES = LINE_START.length + 2 * FULL_HASH_BYTES + 1;
/** The number of lines made at a time. Together, they take about 64 kB. */
const LINES = 936;

function linesOf(hashes: Uint8Array): Uint8Array {
  const bytes = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length);
  const lines = Buffer.allocUnsafe((hashes.length / FULL_HASH_BYTES) * LINE_BYTES);
  let at = 0;
  for (let from = 0; from < bytes.length; from += FULL_HASH_BYTES) {
    const hex = bytes.toString("hex", from, from + FULL_HASH_BYTES);
    at += lines.write(`${LINE_START}${hex}\n`, at, "latin1");
  }
  return lines;
}

async function* lines(loaded: OpenList): AsyncGenerator<Uint8Array> {
  for await (const hashes of loaded.fullHashes()) {
    for (let from = 0; from < hashes.length; from += LINES * FULL_HASH_BYTES) {
      yield linesOf(hashes.subarray(from, from + LINES * FULL_HASH_BYTES));
    }
  }
}

/**
 * The ClamAV database for a list. The database always has a comment line, because freshclam treats an empty file as an
 * error and keeps the old one.
 */
export function clamAvDatabase(loaded: OpenList): ExportedText {
  const { list, contents } = loaded.entry.manifest;
  return {
    contentType: "text/plain; charset=us-ascii",
    head: `# ${list}: ${counted(contents.fullHashes, "full hash", "full hashes")} of URL expressions, for ClamAV\n`,
    bodyHash: contents.entries,
    bodyBytes: contents.fullHashes * LINE_BYTES,
    body: () => lines(loaded),
  };
}
