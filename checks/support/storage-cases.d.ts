/** The part of a storage that the cases use. This package has no other definition of a storage. */
interface StorageUnderTest {
  get(key: string, most?: number): Promise<Uint8Array | null>;
  create(key: string, bytes: Uint8Array): Promise<boolean>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  list(
    folder: string,
  ): Promise<readonly { readonly name: string; readonly modified: number | null }[]>;
  delete(key: string): Promise<void>;
}

type MakeStorage = () => StorageUnderTest | Promise<StorageUnderTest>;

export declare const READING_CASES: readonly {
  readonly name: string;
  readonly run: (written: StorageUnderTest, open: MakeStorage) => Promise<void>;
}[];

export declare const STORAGE_CASES: readonly {
  readonly name: string;
  readonly run: (newStorage: MakeStorage) => Promise<void>;
}[];
