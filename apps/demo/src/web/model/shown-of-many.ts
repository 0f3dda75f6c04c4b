/** The first of many items, for display, and the number of all items. */
export interface ShownOfMany<T> {
  readonly shown: readonly T[];
  readonly total: number;
}

export function showFirst<T>(all: readonly T[], most: number): ShownOfMany<T> {
  return { shown: all.slice(0, most), total: all.length };
}
