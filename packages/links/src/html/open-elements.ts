import { TokenizerMode } from "parse5";

/** The programs that use a `<base>` for the document. */
export type BaseReaders = "all" | "without-scripts" | "conditional-comments";

/** The open elements that change how tags are read. */
interface OpenElements {
  readonly open: (name: string, isSelfClosing: boolean) => void;
  readonly close: (name: string) => void;
  /** Whether tags are read by the rules of SVG and MathML. */
  readonly isForeign: () => boolean;
  /** The programs for which a `<base>` in the current element counts; `null` if there are none. */
  readonly readersOfBase: () => BaseReaders | null;
  /** Whether earlier markup may make browsers with and without scripts read `<title>` differently. */
  readonly isAmbiguous: () => boolean;
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** SVG and MathML have their own rules for tags. In the integration points inside them, tags are read as HTML again. */
const FOREIGN = /* @__PURE__ */ setOf("svg math");
const INTEGRATION = /* @__PURE__ */ setOf("foreignobject desc annotation-xml mi mo mn ms mtext");
/** HTML §13.2.6.5: the tags that end foreign content. */
const BREAKOUT = /* @__PURE__ */ setOf(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);

export function openElements(): OpenElements {
  let foreign: string[] = [];
  /** How many of the open elements have a name, so that a closing tag without one is not searched for. */
  const counts = new Map<string, number>();
  let templates = 0;
  let noscripts = 0;
  let isAmbiguous = false;
  const isForeign = () => FOREIGN.has(foreign.at(-1) ?? "");
  return {
    open(name, isSelfClosing) {
      if (BREAKOUT.has(name) && isForeign()) {
        foreign = [];
        counts.clear();
      }
      if (name === "template") templates++;
      if (name === "noscript") noscripts++;
      if (name === "noscript" || name === "select") isAmbiguous = true;
      if (FOREIGN.has(name) || (foreign.length > 0 && INTEGRATION.has(name))) {
        isAmbiguous = true;
        if (isSelfClosing) return;
        foreign.push(name);
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    },
    close(name) {
      if (name === "template" && templates > 0) templates--;
      if (name === "noscript" && noscripts > 0) noscripts--;
      if ((counts.get(name) ?? 0) === 0) return;
      for (let last: string | undefined; last !== name; ) {
        last = foreign.pop()!;
        counts.set(last, counts.get(last)! - 1);
      }
    },
    isForeign,
    readersOfBase() {
      if (templates > 0 || foreign.length > 0) return null;
      return noscripts > 0 ? "without-scripts" : "all";
    },
    isAmbiguous: () => isAmbiguous,
  };
}

/**
 * The tokenizer states for elements whose contents are text instead of markup. A parser would set these states, but a
 * tokenizer alone does not.
 */
export const TEXT_MODES: ReadonlyMap<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]> =
  new Map([
    ["title", TokenizerMode.RCDATA],
    ["textarea", TokenizerMode.RCDATA],
    ["style", TokenizerMode.RAWTEXT],
    ["xmp", TokenizerMode.RAWTEXT],
    ["iframe", TokenizerMode.RAWTEXT],
    ["noembed", TokenizerMode.RAWTEXT],
    ["noframes", TokenizerMode.RAWTEXT],
    ["script", TokenizerMode.SCRIPT_DATA],
    ["plaintext", TokenizerMode.PLAINTEXT],
  ]);
