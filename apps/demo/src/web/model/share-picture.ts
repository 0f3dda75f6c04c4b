import type { UrlPart } from "@x/explain";
import { printable } from "@x/explain/printable";

/** The contents of a picture of an answer. */
export interface PictureContents {
  /** The CSS class of the verdict. */
  readonly kind: string;
  readonly badge: string;
  readonly sentence: string;
  readonly parts: readonly Pick<UrlPart, "text" | "role">[];
  readonly reason: string;
}

const WIDTH = 1200;
const HEIGHT = 630;
const MARGIN = 64;
const SANS = '"Atkinson Hyperlegible Next", sans-serif';
const MONO = '"Atkinson Hyperlegible Mono", monospace';
const COLOURS = { ground: "#ffffff", ink: "#1a1d20", muted: "#5a6067", host: "#1c4a9c" };

/** The colours of verdicts, as in the light theme. */
const TONES: Readonly<Record<string, string>> = {
  listed: "#9c1c15",
  suspect: "#9c1c15",
  doubt: "#744900",
};

/** A run of text in one colour. */
interface Run {
  readonly text: string;
  readonly colour: string;
}

/** Writes runs of text, broken where a line is full, and returns the y coordinate below them. */
function write(
  context: CanvasRenderingContext2D,
  runs: readonly Run[],
  { font, y, height, most }: { font: string; y: number; height: number; most: number },
): number {
  context.font = font;
  const end = WIDTH - MARGIN;
  let [x, top, lines] = [MARGIN, y, 1];
  for (const { text, colour } of runs) {
    context.fillStyle = colour;
    // Words stay whole; a word that is longer than a line is broken anywhere.
    for (const word of text.split(/(?<=\s)/)) {
      const width = context.measureText(word).width;
      for (const piece of width > end - MARGIN ? word : [word]) {
        const { width } = context.measureText(piece);
        if (x + width > end) {
          if (++lines > most) {
            context.fillText("…", x, top);
            return top + height;
          }
          [x, top] = [MARGIN, top + height];
        }
        context.fillText(piece, x, top);
        x += width;
      }
    }
  }
  return top + height;
}

/** A picture of an answer, made in this tab. It contains only what the page says about the typed link. */
export async function pictureOf(contents: PictureContents): Promise<Blob> {
  const { kind, badge, sentence, parts, reason } = contents;
  const tone = TONES[kind] ?? COLOURS.muted;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const context = canvas.getContext("2d")!;
  context.textBaseline = "top";
  context.fillStyle = COLOURS.ground;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = tone;
  context.fillRect(0, 0, WIDTH, 16);
  const one = (text: string, colour: string): Run[] => [{ text: printable(text), colour }];
  let y = MARGIN;
  y = write(context, one(badge, tone), { font: `700 34px ${SANS}`, y, height: 60, most: 1 });
  y = write(context, one(sentence, COLOURS.ink), {
    font: `700 56px ${SANS}`,
    y,
    height: 68,
    most: 3,
  });
  const link = parts.map(({ text, role }) => ({
    text: printable(text),
    colour: role === "host" ? COLOURS.host : COLOURS.muted,
  }));
  y = write(context, link, { font: `32px ${MONO}`, y: y + 16, height: 44, most: 4 });
  write(context, one(reason, COLOURS.muted), {
    font: `26px ${SANS}`,
    y: y + 8,
    height: 36,
    most: 2,
  });
  write(context, one("urlhash", COLOURS.ink), {
    font: `700 26px ${MONO}`,
    y: HEIGHT - 50,
    height: 36,
    most: 1,
  });
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}
