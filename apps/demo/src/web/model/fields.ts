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

export function flag(initial: boolean): Field<boolean> {
  return {
    initial,
    write: (value) => (value ? "1" : "0"),
    read: (value) => (value === "1" ? true : value === "0" ? false : null),
  };
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
