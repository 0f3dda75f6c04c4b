import { Fragment, type VNode } from "preact";

/** Dates, and words with a dot in them, such as hosts, with the comma or period after them. */
const NAMES = /((?:[^\s,]+\.[^\s,]*[^\s,.]|\d{4}-\d\d-\d\d)[,.]?)/;

/** Longer names do not fit on a line of a phone, so they may be broken like any other text. */
const LONGEST_NAME = 40;

/** So many characters at the end of a longer name stay together, so that no line begins with its comma. */
const END = 4;

/** A text in which a name is broken only if it does not fit on a line. */
export function Unbroken({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text.split(NAMES).map((piece, i) => {
        if (i % 2 === 0) return piece;
        const broken = piece.length <= LONGEST_NAME ? "" : piece.slice(0, -END);
        return (
          <Fragment key={i}>
            {broken}
            <span class="name">{piece.slice(broken.length)}</span>
          </Fragment>
        );
      })}
    </>
  );
}
