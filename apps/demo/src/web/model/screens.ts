import { choice, type Field, flag, integer, text } from "./fields.ts";
import { ROW_VERDICTS } from "./row.ts";

/** The screens and the values of each one that a link contains. */
export const SCREENS = {
  url: {
    /** A link, or a text with links in it. */
    u: text(""),
    bytes: integer(4, 4, 32),
    /** The shown tab of the details. */
    tab: choice("why", "steps", "hashes", "privacy", "code", "lists"),
    /** The verdict whose rows are shown, and the page of them, if there are many URLs. */
    show: choice("all", ...ROW_VERDICTS),
    page: integer(1, 1, 999_999_999),
  },
  hashed: {
    u: text("HTTP://WWW.THUS.NET:80\nhttp://www.thus.net/page?id=7#end\nmailto:clive@demon.net"),
    alg: choice("sha1", "md5", "x-sha256"),
    variant: choice("N", "P"),
    frag: flag(false),
    query: flag(false),
    more: text("hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481"),
  },
  urn: {
    u: text("URN:ISBN:0-395-36341-1"),
    v: text("urn:isbn:0395363411"),
    text: text(
      "The book (urn:isbn:0451450523) cites urn:ietf:rfc:2141, and urn:example:a?=q#f; it has urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6.",
    ),
    syntax: choice("rfc8141", "rfc2141"),
    trim: flag(true),
  },
} as const;

export type ScreenName = keyof typeof SCREENS;

type ValueOf<F> = F extends Field<infer T> ? T : never;

/** The values of one screen. */
export type Values<S extends ScreenName> = {
  readonly [K in keyof (typeof SCREENS)[S]]: ValueOf<(typeof SCREENS)[S][K]>;
};

export type DetailName = Values<"url">["tab"];

export type AllValues = { readonly [S in ScreenName]: Values<S> };

export const SCREEN_NAMES = Object.keys(SCREENS) as ScreenName[];

function mapValues<T>(record: Readonly<Record<string, T>>, map: (value: T) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

export const INITIAL = mapValues<Readonly<Record<string, Field<unknown>>>>(SCREENS, (fields) =>
  mapValues(fields, ({ initial }) => initial),
) as AllValues;
