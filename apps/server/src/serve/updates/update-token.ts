import type { Contents } from "@x/list-store";
import { PREFIX_BYTES } from "@x/list-store/serving";

/*
 * The token that names the version a client has: `<list>.<version>.<start of the checksum>`, and `.<count>` if the
 * client has only the first prefixes of the list. The length of longer prefixes comes after the list's name:
 * `malware.8b.42.…`. The token depends on the prefixes, not on the manifest, so it does not change when the list is
 * signed again. The checksum distinguishes stores with the same version numbers.
 */

const CHECKSUM_DIGITS = 16;
const MAX_TOKEN_BYTES = 128;

export interface UpdateToken {
  readonly list: string;
  readonly prefixBytes: number;
  readonly since: number;
  readonly checksum: string;
  /** How many prefixes of the list the client has; `null` for all. */
  readonly cut: number | null;
}

export function formatToken(
  list: string,
  prefixBytes: number,
  { since, checksum }: Pick<Contents, "since" | "checksum">,
  cut: number | null,
): string {
  const name = prefixBytes === PREFIX_BYTES ? list : `${list}.${prefixBytes}b`;
  const whole = `${name}.${since}.${checksum.slice(0, CHECKSUM_DIGITS)}`;
  return cut === null ? whole : `${whole}.${cut}`;
}

/** Parses a client's token. Returns `null` for anything that does not have the form of a token. */
export function parseToken(bytes: Uint8Array): UpdateToken | null {
  if (bytes.length > MAX_TOKEN_BYTES) return null;
  const text = Buffer.from(bytes).toString("latin1");
  const [, list, length, since, checksum, cut] =
    /^([a-z0-9-]+)(?:\.(8|16|32)b)?\.(\d{1,12})\.([0-9a-f]{16})(?:\.(\d{1,10}))?$/.exec(text) ?? [];
  if (list === undefined) return null;
  return {
    list,
    prefixBytes: length === undefined ? PREFIX_BYTES : Number(length),
    since: Number(since),
    checksum: checksum!,
    cut: cut === undefined ? null : Number(cut),
  };
}

/** Whether a token stands for these contents. */
export function isTokenOf(
  { since, checksum }: UpdateToken,
  contents: Pick<Contents, "since" | "checksum">,
): boolean {
  return since === contents.since && contents.checksum.startsWith(checksum);
}
