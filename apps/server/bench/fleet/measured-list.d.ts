export interface MeasuredList {
  readonly store: { remove(): void };
  readonly answers: ReadonlyMap<
    string | number,
    { readonly body: Uint8Array; readonly cacheControl: string }
  >;
  readonly publishing: { readonly changed: number };
}

export function measureList(list: {
  readonly size: number;
  readonly share: number;
  readonly ages: readonly number[];
}): Promise<MeasuredList>;
