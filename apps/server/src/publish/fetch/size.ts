const UNITS: Readonly<Record<string, number>> = { kB: 1e3, MB: 1e6, GB: 1e9 };

/** The number of bytes in a size such as `500kB`, `256MB` or `1GB`. Returns `null` for any other text. */
export function parseSize(text: string): number | null {
  const [, digits, unit] = /^(\d{1,6})(kB|MB|GB)$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * UNITS[unit!]!;
}

/** A size in the form that {@link parseSize} reads. */
export function formatSize(bytes: number): string {
  const unit = bytes % 1e9 === 0 ? "GB" : bytes % 1e6 === 0 ? "MB" : "kB";
  return `${bytes / UNITS[unit]!}${unit}`;
}
