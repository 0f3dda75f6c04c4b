import type { VNode } from "preact";

interface HashProps {
  readonly hex: string;
  readonly prefixBytes: number;
}

/**
 * A hash whose prefix has more bytes than this continues on the next line. Otherwise, part of the prefix could be cut
 * off.
 */
const FITS_BYTES = 8;

/** A full hash with its prefix emphasized. The end is cut off if it does not fit, but can be selected. */
export function Hash({ hex, prefixBytes }: HashProps): VNode {
  return (
    <code class={prefixBytes > FITS_BYTES ? "hash whole" : "hash"}>
      <strong>{hex.slice(0, 2 * prefixBytes)}</strong>
      <span>{hex.slice(2 * prefixBytes)}</span>
    </code>
  );
}
