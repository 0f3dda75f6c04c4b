import type { VNode } from "preact";
import type { Cut } from "../model/cut.ts";

interface MoreProps {
  readonly of: Cut<unknown>;
  /** Where the rest is. */
  readonly where?: string;
}

/** Says that the screen leaves out the rest of many, and how many. */
export function More({ of: { shown, total }, where = "" }: MoreProps): VNode | null {
  if (total <= shown.length) return null;
  return (
    <p class="muted">
      and {(total - shown.length).toLocaleString("en")} more{where}
    </p>
  );
}
