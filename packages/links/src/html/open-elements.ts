/** Who reads a `<base>` as that of the document. */
export type BaseReaders = "all" | "without-scripts" | "conditional-comments";

/** The elements that are open, as far as they change how tags are read. */
export interface OpenElements {
  readonly open: (name: string, isSelfClosing: boolean) => void;
  readonly close: (name: string) => void;
  /** Whether tags are read as in svg and math. */
  readonly isForeign: () => boolean;
  /** For whom a `<base>` here counts; `null` if for nobody. */
  readonly readersOfBase: () => BaseReaders | null;
  /** Whether there was markup after which browsers, with or without scripts, may read `<title>` in another way. */
  readonly isAmbiguous: () => boolean;
}

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Inside of svg and math, tags are read in another way; inside of the others again as HTML. */
const FOREIGN = setOf("svg math");
const INTEGRATION = setOf("foreignobject desc annotation-xml mi mo mn ms mtext");
/** HTML §13.2.6.5: these end foreign content. */
const BREAKOUT = setOf(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var",
);

export function openElements(): OpenElements {
  let foreign: string[] = [];
  let templates = 0;
  let noscripts = 0;
  let isAmbiguous = false;
  const isForeign = () => FOREIGN.has(foreign.at(-1) ?? "");
  return {
    open(name, isSelfClosing) {
      if (BREAKOUT.has(name) && isForeign()) foreign = [];
      if (name === "template") templates++;
      if (name === "noscript") noscripts++;
      if (name === "noscript" || name === "select") isAmbiguous = true;
      if (FOREIGN.has(name) || (foreign.length > 0 && INTEGRATION.has(name))) {
        isAmbiguous = true;
        if (!isSelfClosing) foreign.push(name);
      }
    },
    close(name) {
      if (name === "template" && templates > 0) templates--;
      if (name === "noscript" && noscripts > 0) noscripts--;
      const opened = foreign.lastIndexOf(name);
      if (opened !== -1) foreign.length = opened;
    },
    isForeign,
    readersOfBase() {
      if (templates > 0 || foreign.length > 0) return null;
      return noscripts > 0 ? "without-scripts" : "all";
    },
    isAmbiguous: () => isAmbiguous,
  };
}
