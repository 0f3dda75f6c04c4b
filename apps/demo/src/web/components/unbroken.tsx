import type { VNode } from "preact";

/** Words with a dot in them, such as hosts, and dates. */
const NAMES = /([^\s,]+\.[^\s,]*[^\s,.]|\d{4}-\d\d-\d\d)/;

/** A text in which a name is broken only if it does not fit on a line. */
export function Unbroken({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text.split(NAMES).map((piece, i) =>
        i % 2 === 1 ? (
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
