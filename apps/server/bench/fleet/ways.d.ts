export const NEW: number;

export function wayThrough(
  places: number,
  facts: {
    readonly clients: number;
    readonly versions: number;
    readonly maxAge: number;
    readonly formOf: (client: number) => number;
    readonly placeOf: (client: number) => number;
  },
): { readonly isHit: boolean; ask(client: number, time: number, newest: number): number };
