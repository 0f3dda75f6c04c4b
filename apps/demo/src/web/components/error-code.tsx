import type { VNode } from "preact";

interface ErrorCodeProps {
  readonly code: string;
  /** Where the problem is, and by which rule it is one. */
  readonly where?: readonly string[];
}

/** What a developer needs to know about a problem that is also said in words. */
export function ErrorCode({ code, where = [] }: ErrorCodeProps): VNode {
  return (
    <span class="muted">
      For developers: {where.map((one) => `${one}; `)}code <code class="name">{code}</code>
    </span>
  );
}
