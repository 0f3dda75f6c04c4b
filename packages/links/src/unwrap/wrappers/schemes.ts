import { decodePercents } from "../decode.ts";
import type { WrapperName } from "./wrapper.ts";

/** A scheme whose URLs contain other URLs. */
interface WrappingScheme {
  readonly name: WrapperName;
  /** Matches the start of a URL. */
  readonly start: RegExp;
  /** Returns the URLs inside. `rest` is the text after the start. */
  readonly open: (rest: string) => readonly string[];
}

const itself = (rest: string) => [rest];

/** Schemes whose URLs contain other URLs. Control characters and spaces before a scheme are allowed, as in browsers. */
export const SCHEMES: readonly WrappingScheme[] = [
  // Browsers show the source of the page at the URL.
  { name: "view-source", start: /^[\0- ]*view-source:/i, open: itself },
  // File API, "The Blob URL store": blob:ORIGIN/ID. Only the origin matters; the object is in the memory of a browser.
  { name: "blob", start: /^[\0- ]*blob:/i, open: itself },
  // W3C File API: Directories and System, formerly in Chromium: filesystem:ORIGIN/temporary/PATH
  { name: "filesystem", start: /^[\0- ]*filesystem:/i, open: itself },
  // Chrome for Developers, "Android Intents with Chrome": intent://HOST/PATH#Intent;scheme=https;S.browser_fallback_url=URL;end
  { name: "intent", start: /^[\0- ]*intent:/i, open: intentUrls },
];

/** The URL that an app gets and the one that Chrome opens if the app is not installed. */
function intentUrls(rest: string): readonly string[] {
  const hash = rest.lastIndexOf("#Intent;");
  if (hash < 0) return [rest];
  const extras = rest.slice(hash + "#Intent;".length).split(";");
  const values = (name: string) =>
    extras.flatMap((extra) => (extra.startsWith(`${name}=`) ? [extra.slice(name.length + 1)] : []));
  const data = rest.slice(0, hash);
  const schemes = values("scheme");
  return [
    // Without the `scheme` extra, the data is a URL with a scheme of its own.
    ...(schemes.length === 0 ? [data] : schemes.map((scheme) => `${scheme}:${data}`)),
    ...values("S.browser_fallback_url").map(decodePercents),
  ];
}
