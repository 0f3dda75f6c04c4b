import type { VNode } from "preact";

interface HashProps {
  readonly hex: string;
  readonly prefixBytes: number;
}

/** A prefix that is longer is not cut off by the edge, but continues on the next line. */
const FITS_BYTES = 8;

/** A full hash: its prefix stands out, the rest is cut off by the edge but is there to be selected. */
export function Hash({ hex, prefixBytes }: HashProps): VNode {
  return (
    <code class={prefixBytes > FITS_BYTES ? "hash whole" : "hash"}>
      <strong>{hex.slice(0, 2 * prefixBytes)}</strong>
      <span>{hex.slice(2 * prefixBytes)}</span>
    </code>
  );
}
