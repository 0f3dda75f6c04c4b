import type { VNode } from "preact";

/** Dates, and words with a dot in them, such as hosts, with the comma or period after them. */
const NAMES = /((?:[^\s,]+\.[^\s,]*[^\s,.]|\d{4}-\d\d-\d\d)[,.]?)/;

/** Longer names do not fit on a line of a phone, so they may be broken like any other text. */
const LONGEST_NAME = 40;

/** A text in which a name is broken only if it does not fit on a line. */
export function Unbroken({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text.split(NAMES).map((piece, i) =>
        i % 2 === 1 && piece.length <= LONGEST_NAME ? (
          <span key={i} class="name">
            {piece}
          </span>
        ) : (
          piece
        ),
      )}
    </>
  );
}
