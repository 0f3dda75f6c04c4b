import type { FollowReason, FollowResponse } from "./hop.ts";
import { type PageRefresh, refreshFinder } from "./meta-refresh.ts";

export interface ReadPage {
  readonly refresh: PageRefresh | null;
  /** Why the page was not read to its end; otherwise `null`. */
  readonly reason: FollowReason | null;
  readonly bytes: number;
}

/** Media types that browsers parse as HTML or XML. Without a type, browsers look at the contents. */
const HTML = /^(?:text\/html|application\/xhtml\+xml|text\/xml|application\/xml|$)/i;
/** The content codings that `fetch` decodes. */
const KNOWN_CODINGS = /^(?:(?:identity|x-gzip|gzip|deflate|br|zstd|,)\s*)*$/i;

/** Reads a page up to its first redirect. Pages that are neither HTML nor XML have no redirect and are not read. */
export async function readPage(
  { headers, body }: FollowResponse,
  maxBytes: number,
  unlessEnded: <T>(promise: Promise<T>) => Promise<T>,
): Promise<ReadPage> {
  const reader = body?.getReader();
  let bytes = 0;
  try {
    const type = headers.get("content-type") ?? "";
    if (reader === undefined || !HTML.test(type.trim())) {
      return { refresh: null, reason: null, bytes };
    }
    if (!KNOWN_CODINGS.test(headers.get("content-encoding")?.trim() ?? "")) {
      return { refresh: null, reason: "encoding-unknown", bytes };
    }
    const finder = refreshFinder();
    let decoder: TextDecoder | null = null;
    for (;;) {
      const { done, value } = await unlessEnded(reader.read());
      if (value !== undefined) {
        const room = maxBytes - bytes;
        bytes += value.length;
        decoder ??= decoderFor(type, value);
        const refresh = finder.push(
          decoder.decode(value.subarray(0, room), { stream: true }),
          false,
        );
        if (refresh !== null) return { refresh, reason: null, bytes };
        if (bytes > maxBytes) return { refresh: null, reason: "bytes", bytes };
      }
      if (done) return { refresh: finder.push(decoder?.decode() ?? "", true), reason: null, bytes };
    }
  } finally {
    reader?.cancel().catch(() => {});
  }
}

/** The decoder for a page. A byte order mark takes precedence over the type. */
function decoderFor(type: string, start: Uint8Array): TextDecoder {
  const mark = start[0] === 0xff && start[1] === 0xfe ? "utf-16le" : null;
  const bigMark = start[0] === 0xfe && start[1] === 0xff ? "utf-16be" : null;
  const label = mark ?? bigMark ?? /charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
