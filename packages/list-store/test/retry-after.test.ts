import { retryAfter } from "@x/list-store/transport";
import { expect, test } from "vitest";

const NOW = Date.UTC(2026, 10, 22, 8, 49, 37);
const asked = (value: string | null) =>
  retryAfter(new Headers(value === null ? {} : { "retry-after": value }), NOW);

test.each([
  ["0", 0],
  ["120", 120_000],
  ["9999999", 9_999_999_000],
  ["9".repeat(20), Number.MAX_SAFE_INTEGER],
  // The three forms of an HTTP-date (RFC 9110 §5.6.7).
  ["Sun, 22 Nov 2026 08:51:37 GMT", 120_000],
  ["Sunday, 22-Nov-26 08:51:37 GMT", 120_000],
  ["Sun Nov 22 08:51:37 2026", 120_000],
  ["Sun, 22 Nov 2026 08:49:00 GMT", 0],
  // The header was sent twice, or a platform has left blanks in it.
  ["12, 13", 13_000],
  ["30 ,5", 30_000],
  ["Sun, 22 Nov 2026 08:51:37 GMT, Sun, 22 Nov 2026 08:50:37 GMT", 120_000],
])("%s is %i milliseconds", (value, milliseconds) => {
  expect(asked(value)).toBe(milliseconds);
});

test.each([null, "", "-5", "1.5", "12, soon", "soon", "Sun", "Sun, 99 Nov 2026 08:49:37 GMT"])(
  "%j says nothing",
  (value) => {
    expect(asked(value)).toBe(null);
  },
);

test("blanks around the value do not matter", () => {
  expect(retryAfter({ get: () => " 120\t" }, NOW)).toBe(120_000);
});
