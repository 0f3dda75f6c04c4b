import type { Contents } from "../../store/manifest.ts";

/*
 * What a client says it has: `<list>.<version>.<start of the checksum>`. It follows the prefixes, not the manifest,
 * so that signing anew changes nothing; and the checksum tells two stores apart that count the same versions.
 */

const CHECKSUM_DIGITS = 16;
const MAX_TOKEN_BYTES = 128;

export interface UpdateToken {
  readonly list: string;
  readonly since: number;
  readonly checksum: string;
}

export function formatToken(list: string, { since, checksum }: Contents): string {
  return `${list}.${since}.${checksum.slice(0, CHECKSUM_DIGITS)}`;
}

/** The token in a client's bytes; `null` for anything that is not one of ours. */
export function parseToken(bytes: Uint8Array): UpdateToken | null {
  if (bytes.length > MAX_TOKEN_BYTES) return null;
  const text = Buffer.from(bytes).toString("latin1");
  const [, list, since, checksum] = /^([a-z0-9-]+)\.(\d{1,12})\.([0-9a-f]{16})$/.exec(text) ?? [];
  return list === undefined ? null : { list, since: Number(since), checksum: checksum! };
}

/** Whether a token stands for these contents. */
export function isTokenOf({ since, checksum }: UpdateToken, contents: Contents): boolean {
  return since === contents.since && contents.checksum.startsWith(checksum);
}
