import * as v from "valibot";

/** The settings that the page's operator has made in `settings.json`. */
export interface PageSettings {
  readonly store: StoreSettings | null;
  /** The places to report dangerous sites; empty for the usual places. */
  readonly reports: readonly NamedLink[];
  readonly documents: string | null;
  readonly operator: NamedLink | null;
  readonly source: string | null;
}

/** A list in a signed store of `@x/list-store`. */
export interface StoreSettings {
  /** The URL of the store, relative to the page, such as `lists/`. */
  readonly url: string;
  readonly list: string;
  readonly publicKeys: readonly string[];
}

/** A link with a name: a place for reports, or the operator. */
export interface NamedLink {
  readonly name: string;
  /** A web page or an email address. */
  readonly href: string;
}

/** Links in the settings may be relative to the page, wherever it is. */
const ANY_PAGE = "https://page.example/";

const NAME = v.pipe(v.string(), v.nonEmpty(), v.maxLength(80));

const LINK = v.strictObject({
  name: NAME,
  href: v.pipe(v.string(), v.regex(/^(?:https:|mailto:)/)),
});
const PAGE = v.pipe(
  v.string(),
  v.check(
    (href) => URL.canParse(href, ANY_PAGE) && /^https?:/.test(new URL(href, ANY_PAGE).protocol),
  ),
);

const SETTINGS = v.strictObject({
  store: v.optional(
    v.strictObject({
      url: v.string(),
      list: NAME,
      publicKeys: v.pipe(v.array(v.string()), v.nonEmpty()),
    }),
  ),
  reports: v.optional(v.array(LINK), []),
  documents: v.optional(PAGE),
  operator: v.optional(LINK),
  source: v.optional(PAGE),
});

/** @throws when the text is not JSON, or has an unknown or invalid setting. */
export function parsePageSettings(text: string): PageSettings {
  const parsed = v.safeParse(SETTINGS, JSON.parse(text));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new Error(`${v.getDotPath(issue) ?? "it"}: ${issue.message}`);
  }
  const { store = null, reports, documents = null, operator = null, source = null } = parsed.output;
  return { store, reports, documents, operator, source };
}
