/** The first of many: as many as are laid out. */
export interface Cut<T> {
  readonly shown: readonly T[];
  /** How many there are in all. */
  readonly total: number;
}

export function cut<T>(all: readonly T[], most: number): Cut<T> {
  return { shown: all.slice(0, most), total: all.length };
}
