import { Fragment, type VNode } from "preact";
import { useMemo } from "preact/hooks";
import { type Change, diff } from "../model/diff.ts";
import { shorten, splitByDirection, visiblePieces } from "../model/visible.ts";

interface VisibleProps {
  readonly text: string;
  /** Whether line feeds stay line breaks, instead of being spelled out. */
  readonly keepsLineEnds?: boolean;
}

/** Text from any source. Unsafe characters are spelled out, so that they cannot affect the text beside it. */
export function Visible({ text, keepsLineEnds = false }: VisibleProps): VNode {
  return (
    <>
      {visiblePieces(text, keepsLineEnds).map((piece, i) =>
        piece.isEscape ? (
          <span key={i} class="escape">
            {piece.text}
          </span>
        ) : (
          splitByDirection(piece.text).map((word, j) =>
            j % 2 === 1 ? (
              <bdi key={j} dir="rtl">
                {word}
              </bdi>
            ) : (
              word
            ),
          )
        ),
      )}
    </>
  );
}

interface ShortenedProps extends VisibleProps {
  /** The length of the longest text that is shown in full. The middle of a longer text is left out. */
  readonly limit: number;
}

/** The beginning and the end of a text, and the number of characters left out between them. */
export function Shortened({ text, limit, keepsLineEnds = false }: ShortenedProps): VNode {
  const { start, omitted, end } = shorten(text, limit);
  return (
    <>
      <Visible text={start} keepsLineEnds={keepsLineEnds} />
      {omitted > 0 && (
        <span class="omitted"> … {omitted.toLocaleString("en")} more characters … </span>
      )}
      <Visible text={end} keepsLineEnds={keepsLineEnds} />
    </>
  );
}

interface DataProps {
  readonly text: string;
  readonly limit?: number;
}

/** A value in monospace. The middle of a value longer than `limit` is left out. */
export function Data({ text, limit = 2000 }: DataProps): VNode {
  return (
    <span class="data" dir="ltr">
      <Shortened text={text} limit={limit} />
    </span>
  );
}

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
            {broken.split(/(?<=\.)/).map((label, j) => (
              <Fragment key={j}>
                {label}
                <wbr />
              </Fragment>
            ))}
            <span class="name">{piece.slice(broken.length)}</span>
          </Fragment>
        );
      })}
    </>
  );
}

const LIMITS: Readonly<Record<Change["kind"], number>> = { same: 160, removed: 240, added: 240 };

function Run({ change: { kind, text } }: { readonly change: Change }): VNode {
  const content = <Shortened text={text} limit={LIMITS[kind]} />;
  if (kind === "removed") return <del>{content}</del>;
  if (kind === "added") return <ins>{content}</ins>;
  return content;
}

/** The text after a change, with what was inserted and removed marked. */
export function Difference(props: { readonly before: string; readonly after: string }): VNode {
  const { before, after } = props;
  const changes = useMemo(() => diff(before, after), [before, after]);
  return (
    <span class="data" dir="ltr">
      {changes.map((change, i) => (
        <Run key={i} change={change} />
      ))}
    </span>
  );
}
