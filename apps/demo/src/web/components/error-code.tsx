import type { VNode } from "preact";

interface ErrorCodeProps {
  readonly code: string;
  /** The place of the problem and the section of the specification. */
  readonly where?: readonly string[];
  /** The words before the code. */
  readonly start?: string;
}

/** The code and the place of a problem, for developers. The page also describes the problem in words. */
export function ErrorCode({ code, where = [], start = "For developers: " }: ErrorCodeProps): VNode {
  return (
    <span class="muted">
      {start}
      {where.map((one) => `${one}; `)}code <code class="name">{code}</code>
    </span>
  );
}
