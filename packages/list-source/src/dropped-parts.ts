import { type CanonicalUrl, explainCanonicalization } from "@x/canon";

/** A part of a URL that expressions do not have, and that is dropped from an entry. */
export type DroppedPart = "user-dropped" | "port-dropped" | "fragment-dropped" | "fragment-of-site";

const AUTHORITY_START = /^(?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\//;
const PORT = /^:[0-9]*(?:[/?#]|$)/;

function authorityStart(text: string): number {
  if (text.startsWith("http://")) return 7;
  return text.startsWith("https://") ? 8 : (AUTHORITY_START.exec(text)?.[0].length ?? 0);
}

/** The parts of `text` that its canonical form does not have. */
export function droppedParts(text: string, url: CanonicalUrl): readonly DroppedPart[] {
  if (!text.includes(":") && !text.includes("@") && !text.includes("#")) return NOTHING;
  const start = authorityStart(text);
  // A fast path: the host is usually canonical already, so only the text after it has to be checked.
  if (!text.includes("#") && text.startsWith(url.host, start)) {
    const end = start + url.host.length;
    if (end === text.length || text[end] === "/") return NOTHING;
    if (PORT.test(text.slice(end))) return PORT_DROPPED;
  }
  const changed = explainCanonicalization(text).filter((step) => step.changed);
  return changed.flatMap(({ step }) => {
    if (step === "remove-fragment") {
      return isViewOfSite(text, url) ? FRAGMENT_OF_SITE : FRAGMENT_DROPPED;
    }
    if (step === "drop-userinfo") return ["user-dropped" as const];
    return step === "drop-port" ? PORT_DROPPED : NOTHING;
  });
}

const NOTHING: readonly DroppedPart[] = [];
const PORT_DROPPED: readonly DroppedPart[] = ["port-dropped"];
const FRAGMENT_DROPPED: readonly DroppedPart[] = ["fragment-dropped"];
const FRAGMENT_OF_SITE: readonly DroppedPart[] = ["fragment-of-site"];

/**
 * Matches a fragment that stands for the page itself, not for one of its views. In HTML, `top` stands for the top of a
 * page.
 */
const OF_WHOLE_PAGE = /^(?:[!/]*|top)$/i;

/** Whether a URL would stand for a whole site without its fragment, as in `https://shared.example/#!abc`. */
function isViewOfSite(text: string, { path, query }: CanonicalUrl): boolean {
  if (path !== "/" || (query !== null && query !== "")) return false;
  return !OF_WHOLE_PAGE.test(text.slice(text.indexOf("#") + 1).trimEnd());
}
