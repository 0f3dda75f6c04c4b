import type { VNode } from "preact";
import { shorten } from "../model/shorten.ts";
import { visiblePieces } from "../model/visible.ts";

/** Text of any origin, with unsafe characters spelled out; it cannot move or restyle what is around it. */
export function Visible({ text }: { readonly text: string }): VNode {
  return (
    <>
      {visiblePieces(text).map((piece, i) =>
        piece.isEscape ? (
          <span key={i} class="escape">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

interface OmittedProps {
  readonly count: number;
}

/** Says that the screen leaves something out, and how much. */
export function Omitted({ count }: OmittedProps): VNode {
  return <span class="omitted"> … {count.toLocaleString("en")} more characters … </span>;
}

interface DataProps {
  readonly text: string;
  /** Longer texts are shown without their middle. */
  readonly limit?: number;
}

/** A value in monospace. */
export function Data({ text, limit = 2000 }: DataProps): VNode {
  const { start, omitted, end } = shorten(text, limit);
  return (
    <span class="data" dir="ltr">
      <Visible text={start} />
      {omitted > 0 && <Omitted count={omitted} />}
      <Visible text={end} />
    </span>
  );
}
