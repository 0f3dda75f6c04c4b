import type { VNode } from "preact";
import { shorten } from "../model/shorten.ts";
import { splitByDirection, visiblePieces } from "../model/visible.ts";

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

interface HashProps {
  readonly hex: string;
  readonly prefixBytes: number;
}

/**
 * A hash whose prefix has more bytes than this continues on the next line. Otherwise, part of the prefix could be cut
 * off.
 */
const FITS_BYTES = 8;

/** A full hash with its prefix emphasized. The end is cut off if it does not fit, but can be selected. */
export function Hash({ hex, prefixBytes }: HashProps): VNode {
  return (
    <code class={prefixBytes > FITS_BYTES ? "hash whole" : "hash"}>
      <strong>{hex.slice(0, 2 * prefixBytes)}</strong>
      <span>{hex.slice(2 * prefixBytes)}</span>
    </code>
  );
}
