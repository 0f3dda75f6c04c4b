import { type Token, Tokenizer } from "parse5";
import { refreshUrl } from "../html/refresh.ts";
import { TEXT_MODES } from "../html/text-modes.ts";

/** A redirect by `<meta http-equiv="refresh">`. */
export interface PageRefresh {
  readonly url: string;
  /** The value of the first `<base href>` before the redirect; `null` if there is none. */
  readonly base: string | null;
}

/** Finds the first redirect in a page that arrives in pieces. */
export interface RefreshFinder {
  /** Reads the next piece. Returns the redirect once it is found. */
  push(piece: string, isLast: boolean): PageRefresh | null;
}

/** Elements of SVG and MathML that contain HTML. */
const HTML_INSIDE: ReadonlySet<string> = new Set(["foreignobject", "desc", "annotation-xml"]);

const nothing = () => {};

/**
 * Finds the first `<meta http-equiv="refresh">` with a URL. The contents of `<noscript>` count, because no scripts run.
 * Takes linear time and keeps only the unfinished tag in memory.
 */
export function refreshFinder(): RefreshFinder {
  let found: PageRefresh | null = null;
  let base: string | null = null;
  /** Whether the tokenizer is in SVG or MathML, where the contents of elements such as `<style>` are markup. */
  let isForeign = false;

  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: false },
    {
      onStartTag(tag) {
        const name = tag.tagName;
        const mode = TEXT_MODES.get(name);
        if (name === "meta") found ??= refreshOf(tag);
        else if (name === "base") base ??= attribute(tag, "href");
        else if (name === "svg" || name === "math") isForeign = !tag.selfClosing;
        else if (isForeign) isForeign = !HTML_INSIDE.has(name);
        else if (mode !== undefined) tokenizer.state = mode;
      },
      onEndTag({ tagName }) {
        if (tagName === "svg" || tagName === "math") isForeign = false;
        else if (HTML_INSIDE.has(tagName)) isForeign = true;
      },
      onComment: nothing,
      onDoctype: nothing,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
      onEof: nothing,
    },
  );

  function refreshOf(tag: Token.TagToken): PageRefresh | null {
    if (attribute(tag, "http-equiv")?.toLowerCase() !== "refresh") return null;
    const url = refreshUrl(attribute(tag, "content") ?? "");
    return url === null ? null : { url, base };
  }

  return {
    push(piece, isLast) {
      tokenizer.write(piece, isLast);
      return found;
    },
  };
}

function attribute({ attrs }: Token.TagToken, name: string): string | null {
  return attrs.find((each) => each.name === name)?.value ?? null;
}
