import { printable } from "@x/explain/printable";
import type { VNode } from "preact";
import { More } from "../../components/more.tsx";
import { ErrorCode } from "../../components/problem.tsx";
import type { RefusedLine } from "../../model/match-hashed.ts";
import type { ShownOfMany } from "../../model/shown-of-many.ts";

interface RefusedLinesProps {
  /** The name of the field that the lines come from. */
  readonly of: string;
  readonly lines: ShownOfMany<RefusedLine>;
}

/** Lines that are not URIs or not hashed URIs, with the reasons. */
export function RefusedLines({ of, lines }: RefusedLinesProps): VNode {
  return (
    <>
      {lines.shown.map(({ line, code, message }) => (
        <p key={line} class="warning">
          {of}, line {line}: {printable(message)} <ErrorCode code={code} />
        </p>
      ))}
      <More of={lines} where=" like these" />
    </>
  );
}
