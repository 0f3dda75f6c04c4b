import type { VNode } from "preact";

interface HashProps {
  readonly hex: string;
  readonly prefixBytes: number;
}

/** A hash with a longer prefix continues on the next line. Otherwise, part of the prefix could be cut off. */
const FITS_BYTES = 8;

/** A full hash with its prefix emphasized. What does not fit is cut off at the edge, but can be selected. */
export function Hash({ hex, prefixBytes }: HashProps): VNode {
  return (
    <code class={prefixBytes > FITS_BYTES ? "hash whole" : "hash"}>
      <strong>{hex.slice(0, 2 * prefixBytes)}</strong>
      <span>{hex.slice(2 * prefixBytes)}</span>
    </code>
  );
}
