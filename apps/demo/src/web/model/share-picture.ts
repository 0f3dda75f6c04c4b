import type { UrlPart } from "@x/explain";
import { printable } from "@x/explain/printable";

export interface PictureContents {
  readonly kind: string;
  readonly badge: string;
  readonly advice: string;
  readonly sentence: string;
  readonly parts: readonly Pick<UrlPart, "text" | "role" | "imitating">[];
  readonly reason: string;
}

const WIDTH = 1200;
const MARGIN = 64;
const SANS = '"Atkinson Hyperlegible Next", sans-serif';
const MONO = '"Atkinson Hyperlegible Mono", monospace';
const COLOURS = { ground: "#ffffff", ink: "#1a1d20", muted: "#5a6067" };
const DISGUISE = "#6c2c86";

/** The colours of parts of a link, as on the page. */
const PARTS: Partial<Record<UrlPart["role"], string>> = {
  host: "#1c4a9c",
  decoy: DISGUISE,
  "rules-host": DISGUISE,
  end: DISGUISE,
};

/** The colours of verdicts, as in the light theme. */
const TONES: Readonly<Record<string, string>> = {
  listed: "#9c1c15",
  suspect: "#9c1c15",
  doubt: "#744900",
};

interface Run {
  readonly text: string;
  readonly colour: string;
}

/** Writes runs of text in lines of `height`, at most `most` of them. Returns where the next line begins. */
type Write = (runs: readonly Run[], font: string, height: number, most: number) => number;

/** Writes from the top to the bottom. Words stay whole; a word that is longer than a line is broken anywhere. */
function writerOn(context: CanvasRenderingContext2D): Write {
  const end = WIDTH - MARGIN;
  let top = MARGIN;
  return (runs, font, height, most) => {
    context.font = font;
    let [x, lines] = [MARGIN, 1];
    const pieces = runs.flatMap(({ text, colour }) =>
      text.split(/(?<=\s)/).flatMap((word) => {
        const isLong = context.measureText(word).width > end - MARGIN;
        return (isLong ? [...word] : [word]).map((piece) => ({ piece, colour }));
      }),
    );
    for (const { piece, colour } of pieces) {
      const { width } = context.measureText(piece);
      const isFull = x + width > end;
      if (isFull && lines === most) {
        context.fillText("…", x, top);
        break;
      }
      if (isFull) [x, top, lines] = [MARGIN, top + height, lines + 1];
      context.fillStyle = colour;
      context.fillText(piece, x, top);
      x += width;
    }
    top += height;
    return top;
  };
}

/** Draws a picture from the top, and returns its height. */
function draw(context: CanvasRenderingContext2D, contents: PictureContents): number {
  const { kind, badge, advice, sentence, parts, reason } = contents;
  const tone = TONES[kind] ?? COLOURS.muted;
  context.textBaseline = "top";
  context.fillStyle = COLOURS.ground;
  context.fillRect(0, 0, WIDTH, context.canvas.height);
  context.fillStyle = tone;
  context.fillRect(0, 0, WIDTH, 16);
  context.fillStyle = COLOURS.ink;
  context.font = `700 26px ${MONO}`;
  context.fillText("urlhash", WIDTH - MARGIN - context.measureText("urlhash").width, MARGIN);
  const write = writerOn(context);
  const one = (text: string, colour: string): Run[] => [{ text: printable(text), colour }];
  write(one(badge, tone), `700 34px ${SANS}`, 56, 1);
  write(one(advice, tone), `700 36px ${SANS}`, 48, 2);
  write(one(sentence, COLOURS.ink), `700 44px ${SANS}`, 54, 3);
  write([], MONO, 16, 1);
  const link = parts.flatMap(({ text, role, imitating }) => {
    const colour = PARTS[role] ?? COLOURS.muted;
    const { start, end } = imitating ?? { start: 0, end: 0 };
    return [
      ...one(text.slice(0, start), colour),
      ...one(text.slice(start, end), DISGUISE),
      ...one(text.slice(end), colour),
    ];
  });
  write(link, `32px ${MONO}`, 44, 3);
  return write(one(reason, COLOURS.muted), `26px ${SANS}`, 36, 2) + MARGIN;
}

/** A picture of an answer, made in this tab. It contains only what the page says about the typed link. */
export async function pictureOf(contents: PictureContents): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  const context = canvas.getContext("2d")!;
  // The first drawing only measures. A new height clears the canvas.
  canvas.height = draw(context, contents);
  draw(context, contents);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}
