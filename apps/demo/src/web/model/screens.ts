import { ROW_VERDICTS } from "./verdicts.ts";

/** One value of a screen: how it is written in a link, and which value it has if it is not in the link. */
export interface Field<T> {
  readonly initial: T;
  // `write` and `read` are methods, so that a field of any type is a `Field<unknown>`. `write` gets only values of its
  // own field.
  write(value: T): string;
  /** `null` for a text that `write` never returns. */
  read(text: string): T | null;
}

export function text(initial: string): Field<string> {
  return { initial, write: (value) => value, read: (value) => value };
}

export function integer(least: number, initial: number, most: number): Field<number> {
  return {
    initial,
    write: String,
    read(value) {
      const number = Number(value);
      return /^\d{1,9}$/.test(value) && number >= least && number <= most ? number : null;
    },
  };
}

export function choice<const T extends string>(initial: T, ...others: readonly T[]): Field<T> {
  const all = [initial, ...others];
  return {
    initial,
    write: (value) => value,
    read: (value) => all.find((one) => one === value) ?? null,
  };
}

/** The screens and the values of each one that a link contains. */
export const SCREENS = {
  url: {
    /** A link, or a text with links in it. */
    u: text(""),
    tab: choice("why", "steps", "hashes", "code", "lists"),
    /** The verdict whose rows are shown, and the page of them, if there are many URLs. */
    show: choice("all", ...ROW_VERDICTS),
    page: integer(1, 1, 999_999_999),
  },
  urn: {
    u: text("URN:ISBN:0-395-36341-1"),
    v: text("urn:isbn:0395363411"),
  },
  hashed: {
    u: text("HTTP://WWW.THUS.NET:80\nhttp://www.thus.net/page?id=7#end\nmailto:clive@demon.net"),
    v: text("hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481"),
  },
} as const;

export type ScreenName = keyof typeof SCREENS;

type ValueOf<F> = F extends Field<infer T> ? T : never;

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

/** The URL of the example that the page shows at the start. */
export const FIRST_EXAMPLE = "https://www.paypal.com@azukishop.live/login";
