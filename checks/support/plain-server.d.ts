/** A list of the server: its versions from the oldest to the newest one, as prefixes in hexadecimal, and its full hashes. */
export interface PlainList {
  threatType: "MALWARE" | "SOCIAL_ENGINEERING" | "UNWANTED_SOFTWARE";
  versions: string[][];
  fullHashes: string[];
}

interface PlainServer {
  readonly requests: { method: string; url: string; body: Uint8Array | string | null }[];
  answer(request: {
    method: string;
    url: string;
    headers?: Headers;
    body?: Uint8Array | string | null;
  }): { status: number; headers: Record<string, string>; body: Buffer };
}

export declare function plainServer(options: {
  lists: Record<string, PlainList>;
  /** In milliseconds. If `update` is missing, answers do not say when to ask again. */
  waits: { update: number | null; found: number; notFound: number };
  now?: () => number;
}): PlainServer;
