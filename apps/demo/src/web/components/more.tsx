import type { VNode } from "preact";
import type { ShownOfMany } from "../model/shown-of-many.ts";

interface MoreProps {
  readonly of: ShownOfMany<unknown>;
  /** Words after the count, such as " like these". */
  readonly where?: string;
}

/** Says how many items are not shown. */
export function More({ of: { shown, total }, where = "" }: MoreProps): VNode | null {
  if (total <= shown.length) return null;
  return (
    <p class="muted">
      and {(total - shown.length).toLocaleString("en")} more{where}
    </p>
  );
}
