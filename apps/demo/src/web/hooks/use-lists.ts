import realListUrl from "virtual:real-list";
import { decodePrefixList } from "@x/prefix-list";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { PageList } from "../model/page-list.ts";
import type { StoreSettings } from "../model/page-settings.ts";
import type { ListSource, ReadList } from "../model/read-list.ts";
import { isChecksumOf } from "../model/share-link.ts";
import { ask } from "../worker-client.ts";
import { usePending } from "./use-pending.ts";

/** Why a list was not added. */
interface ListProblem {
  readonly message: string;
  readonly source: ListSource | null;
}

export type Lists = ReturnType<typeof useLists>;

async function fetchBuiltIn(): Promise<PageList> {
  const response = await fetch(realListUrl);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const list = decodePrefixList(new Uint8Array(await response.arrayBuffer()));
  return { list, from: "page", isSafe: false, source: null };
}

type MadeList =
  | (Pick<PageList, "list" | "source" | "published"> & { readonly problem: null })
  | Extract<ReadList, { list: null }>;

async function readFile(file: File): Promise<MadeList> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return ask("readList", { bytes, name: file.name });
}

async function readStore(store: StoreSettings): Promise<MadeList> {
  const fetched = await ask("fetchList", { store, page: document.baseURI });
  return { ...fetched, source: null, problem: null };
}

interface ListsOptions {
  /** The checksums of the lists in the link that opened the page; `null` for the built-in list. */
  readonly wanted: readonly string[] | null;
  /** Called when the user adds, removes or marks a list. */
  readonly onChange: (loaded: readonly PageList[]) => void;
}

export function useLists({ wanted, onChange }: ListsOptions) {
  const [builtIn, setBuiltIn] = useState<PageList | null>(null);
  /** Whether the built-in list could not be loaded. */
  const [hasFailed, setHasFailed] = useState(false);
  /** `null` until the built-in list is loaded or has failed to load, or the user adds a list. */
  const [loaded, setLoaded] = useState<readonly PageList[] | null>(null);
  /** Why the last list was not added. */
  const [problem, setProblem] = useState<ListProblem | null>(null);
  /** The name of the file or of the fetched list that is being read. */
  const [reading, setReading] = useState<string | null>(null);
  const current = useRef<readonly PageList[]>([]);
  current.current = loaded ?? [];
  usePending(loaded === null || reading !== null);

  // Only the link that opened the page counts, so this effect runs only once.
  useEffect(() => {
    const start = (lists: readonly PageList[]): void => setLoaded((before) => before ?? lists);
    fetchBuiltIn().then(
      (list) => {
        setBuiltIn(list);
        const isWanted =
          wanted?.some((checksum) => isChecksumOf(checksum, list.list.checksum)) ?? true;
        start(isWanted ? [list] : []);
      },
      (error: Error) => {
        setHasFailed(true);
        const message = `The built-in list is not available: ${error.message}.`;
        setProblem({ message, source: null });
        start([]);
      },
    );
  }, []);

  const change = useCallback(
    (next: readonly PageList[]): void => {
      setLoaded(next);
      onChange(next);
    },
    [onChange],
  );
  const put = useCallback(
    (added: PageList): void => {
      const isOther = ({ list }: PageList): boolean => list.checksum !== added.list.checksum;
      change([...current.current.filter(isOther), added]);
    },
    [change],
  );
  const remove = (gone: PageList): void => change(current.current.filter((one) => one !== gone));
  const mark = (marked: PageList, isSafe: boolean): void =>
    change(current.current.map((one) => (one === marked ? { ...one, isSafe } : one)));

  /** Adds the list that `made` resolves to, or records why it was not added. */
  const make = useCallback(
    async (name: string, from: PageList["from"], made: Promise<MadeList>): Promise<void> => {
      setReading(name);
      setProblem(null);
      const refuse = (reason: string, source: ListSource | null): void =>
        setProblem({ message: `${name} was not added: ${reason.replace(/\.$/, "")}.`, source });
      try {
        const { list, source, problem, ...rest } = await made;
        if (list === null) refuse(problem, source);
        else {
          const named = list.name === "" ? { ...list, name } : list;
          put({ list: named, from, isSafe: false, source, ...rest });
        }
      } catch (error) {
        refuse((error as Error).message, null);
      }
      setReading(null);
    },
    [put],
  );
  const add = useCallback((file: File) => make(file.name, "file", readFile(file)), [make]);
  const fetchFrom = useCallback(
    (store: StoreSettings) => make(store.list, "store", readStore(store)),
    [make],
  );

  return { builtIn, hasFailed, loaded, problem, reading, add, fetchFrom, put, remove, mark };
}
