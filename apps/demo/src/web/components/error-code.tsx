import type { VNode } from "preact";

interface ErrorCodeProps {
  readonly code: string;
  /** Where the problem is, and by which rule it is one. */
  readonly where?: readonly string[];
  /** Words before it. */
  readonly start?: string;
}

/** What a developer needs to know about a problem that is also said in words. */
export function ErrorCode({ code, where = [], start = "For developers: " }: ErrorCodeProps): VNode {
  return (
    <span class="muted">
      {start}
      {where.map((one) => `${one}; `)}code <code class="name">{code}</code>
    </span>
  );
}
