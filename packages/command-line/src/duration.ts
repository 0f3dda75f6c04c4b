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
