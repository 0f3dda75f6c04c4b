import { type Field, SCREEN_NAMES, SCREENS, type ScreenName, type Values } from "./screens.ts";

/** The contents of a link: a screen and its values. */
export interface Link<S extends ScreenName = ScreenName> {
  readonly screen: S;
  readonly values: Values<S>;
}

export interface WrittenLink {
  readonly fragment: string;
  /** The values that are not in the link because they are too long or not Unicode. */
  readonly omitted: readonly string[];
}

/** Longer values are left out of links, because many programs cut off long links. */
const LONGEST_IN_LINK = 16_384;
/** Longer values are not kept in the history, because browsers limit its size. */
const LONGEST_IN_HISTORY = 1_000_000;

/**
 * Escapes of characters that a fragment may contain (RFC 3986 §3.5). Without these escapes, a link is easier to read.
 */
const READABLE = /%(?:2F|3A|3F|40|2C)/g;

function escapeValue(value: string): string {
  return encodeURIComponent(value).replace(READABLE, decodeURIComponent);
}

export function writeLink(link: Link): WrittenLink {
  return write(link, LONGEST_IN_LINK);
}

/** The text that the history of the tab keeps for a view: like a link, but with longer values. `readLink` reads it. */
export function writeHistoryEntry(link: Link): string {
  return write(link, LONGEST_IN_HISTORY).fragment;
}

function write({ screen, values }: Link, longest: number): WrittenLink {
  const pairs: string[] = [];
  const omitted: string[] = [];
  const current: Readonly<Record<string, unknown>> = values;
  const add = (key: string, value: string): void => {
    if (value.length <= longest && !/\p{Cs}/u.test(value))
      pairs.push(`${key}=${escapeValue(value)}`);
    else omitted.push(key);
  };
  for (const [key, field] of Object.entries<Field<unknown>>(SCREENS[screen])) {
    if (current[key] !== field.initial) add(key, field.write(current[key]));
  }
  return { fragment: `#${screen}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`, omitted };
}

/** Reads a fragment. Missing and invalid values become the initial ones. */
export function readLink(fragment: string): Link {
  const [name = "", query = ""] = fragment.replace(/^#/, "").split(/\?(.*)/s);
  // Older links to many URLs, "#many", lead to the first screen, too.
  const screen = SCREEN_NAMES.find((one) => one === name) ?? "url";
  const given = new URLSearchParams(query);
  const values: Record<string, unknown> = {};
  for (const [key, field] of Object.entries<Field<unknown>>(SCREENS[screen])) {
    const written = given.get(key);
    values[key] = (written === null ? null : field.read(written)) ?? field.initial;
  }
  return { screen, values: values as Values<ScreenName> };
}
