import { durationValue, expecting, wholeNumber } from "@x/command-line";
import { isWhere } from "@x/list-source";
import { InvalidArgumentError } from "commander";

const [LEAST, MOST] = [durationValue("1s"), durationValue("7d")];

/** Parses an interval. Intervals are limited, because Node timers cannot wait for more than 24 days. */
export const parseInterval: (text: string) => number = expecting(
  "a duration from 1s to 7d",
  (text) => {
    const milliseconds = durationValue(text);
    return milliseconds >= LEAST && milliseconds <= MOST ? milliseconds : null;
  },
);

export const parseCount: (text: string) => number = wholeNumber(0, 999_999_999);

export const parsePort = wholeNumber(0, 65_535);

/** Adds a value of `--where`: a condition such as `verdict=malicious`, or `all`. */
export function parseWhere(text: string, before: readonly string[] = []): readonly string[] {
  if (!isWhere(text)) {
    throw new InvalidArgumentError('Expected a condition such as "verdict=malicious", or "all".');
  }
  return [...before, text];
}
