import { InvalidArgumentError } from "commander";

/**
 * Makes a parser for the value of an option. `read` returns `null` for text that is not valid.
 *
 * @example
 * ```ts
 * import { expecting } from "@x/command-line";
 *
 * const parseSide = expecting("left or right", (text) => (/^(?:left|right)$/.test(text) ? text : null));
 * parseSide("left"); // → "left"
 * // parseSide("up") throws: Expected left or right.
 * ```
 */
export function expecting<Value>(
  expected: string,
  read: (text: string) => Value | null,
): (text: string) => Value {
  return (text) => {
    const value = read(text);
    if (value !== null) return value;
    throw new InvalidArgumentError(`Expected ${expected}.`);
  };
}

/** Parses a duration such as `90s` into milliseconds, for an option. */
export const durationValue: (text: string) => number = expecting(
  "a duration such as 90s, 5m, 12h or 30d",
  parseDuration,
);

/**
 * Makes a parser for whole numbers in a range.
 *
 * @example
 * ```ts
 * import { wholeNumber } from "@x/command-line";
 *
 * wholeNumber(4, 32)("8"); // → 8
 * // wholeNumber(4, 32)("3") throws: Expected a whole number from 4 to 32.
 * ```
 */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return expecting(`a whole number from ${least} to ${most}`, (text) => {
    const number = Number(text);
    return /^\d+$/.test(text) && number >= least && number <= most ? number : null;
  });
}

const FILLED = "a value that is not empty";

/** The message for an empty value. */
export const NOT_EMPTY: string = `Expected ${FILLED}.`;

/**
 * Makes a parser that collects the values of an option that may be given more than once.
 *
 * @example
 * ```ts
 * import { collecting } from "@x/command-line";
 *
 * const collectSides = collecting("left or right", (text) => /^(?:left|right)$/.test(text));
 * collectSides("left", ["right"]); // → ["right", "left"]
 * ```
 */
export function collecting(
  expected: string,
  isValid: (text: string) => boolean,
): (text: string, previous?: readonly string[]) => readonly string[] {
  const parse = expecting(expected, (text) => (isValid(text) ? text : null));
  return (text, previous = []) => [...previous, parse(text)];
}

/** Collects values that are not empty. */
export const collect: (text: string, previous?: readonly string[]) => readonly string[] =
  collecting(FILLED, (text) => text !== "");

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * The milliseconds of a duration such as `500ms`, `90s`, `5m`, `12h` or `30d`; `null` for anything else.
 *
 * @example
 * ```ts
 * import { parseDuration } from "@x/command-line";
 *
 * parseDuration("36h"); // → 129_600_000
 * parseDuration("36"); // → null
 * ```
 */
export function parseDuration(text: string): number | null {
  const [, digits, unit] = /^(\d{1,6})(ms|[smhd])$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * UNITS[unit as keyof typeof UNITS];
}

/**
 * A duration in words, rounded. Durations below one second are in milliseconds.
 *
 * @example
 * ```ts
 * import { formatDuration } from "@x/command-line";
 *
 * formatDuration(129_600_000); // → "2 days"
 * ```
 */
export function formatDuration(milliseconds: number): string {
  const [amount, unit] = (
    [
      [milliseconds / UNITS.d, "day"],
      [milliseconds / UNITS.h, "hour"],
      [milliseconds / UNITS.m, "minute"],
      [milliseconds / UNITS.s, "second"],
      [milliseconds, "millisecond"],
    ] as const
  ).find(([amount]) => amount >= 1) ?? [0, "second"];
  const rounded = Math.round(amount);
  return `${rounded} ${unit}${rounded === 1 ? "" : "s"}`;
}
