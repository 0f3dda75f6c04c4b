import realListUrl from "virtual:real-list";
import { decodePrefixList } from "@x/prefix-list";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { StoreSettings } from "../../page-settings.ts";
import { isOld, isOutdated, type PageList } from "../model/page-list.ts";
import type { ListSource, ReadList } from "../model/read-list.ts";
import { ask } from "../worker-client.ts";
import { usePending } from "./use-pending.ts";

interface ListProblem {
  readonly message: string;
  readonly source: ListSource | null;
}

/** All lists that URLs are checked against, and what is wrong with them. */
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
  const { name, lastModified } = file;
  // A file that was saved long ago is old. One that was saved today, such as a download, may have any age.
  return ask("readList", { bytes, name, created: isOld(lastModified) ? lastModified : 0 });
}

/** A list that takes longer than this many milliseconds is not waited for. */
const LONGEST_WAIT = 8000;

async function readStore(store: StoreSettings): Promise<MadeList> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error("its server does not answer")), LONGEST_WAIT),
  );
  const fetched = ask("fetchList", { store, page: document.baseURI });
  return { ...(await Promise.race([fetched, late])), source: null, problem: null };
}

/**
 * @param store the store of the operator's current list, which takes the place of the built-in list; `null` if there is
 * none, `undefined` until that is known.
 */
export function useLists(store: StoreSettings | null | undefined) {
  const [builtIn, setBuiltIn] = useState<PageList | null>(null);
  /** Whether the page began without a list, because the built-in one could not be loaded. */
  const [hasFailed, setHasFailed] = useState(false);
  /** `null` until the first lists are loaded or have failed to load, or the user adds a list. */
  const [loaded, setLoaded] = useState<readonly PageList[] | null>(null);
  const [problem, setProblem] = useState<ListProblem | null>(null);
  const [reading, setReading] = useState<string | null>(null);
  usePending(loaded === null || reading !== null);

  /** The list that `made` resolves to; `null` after recording why there is none. */
  const read = useCallback(
    async (name: string, from: PageList["from"], made: Promise<MadeList>, subject = name) => {
      setReading(name);
      setProblem(null);
      const refuse = (reason: string, source: ListSource | null): null => {
        setProblem({ message: `${subject} was not added: ${reason.replace(/\.$/, "")}.`, source });
        return null;
      };
      try {
        const { list, source, problem, ...rest } = await made;
        if (list === null) return refuse(problem, source);
        const named = list.name === "" ? { ...list, name } : list;
        return { list: named, from, isSafe: false, source, ...rest };
      } catch (error) {
        return refuse((error as Error).message, null);
      } finally {
        setReading(null);
      }
    },
    [],
  );

  // Both lists are fetched at once: a later request would tell the server when the user does something.
  const fetched = useMemo(fetchBuiltIn, []);
  useEffect(() => {
    if (store === undefined) return;
    const start = async (): Promise<void> => {
      const newest = store && (await read(store.list, "store", readStore(store)));
      const own = await fetched.catch(({ message }: Error) => {
        const text = `The built-in list is not available: ${message}.`;
        setHasFailed(newest === null);
        if (newest === null) setProblem({ message: text, source: null });
        return null;
      });
      setBuiltIn(own);
      const first = newest ?? own;
      setLoaded((before) => before ?? (first === null ? [] : [first]));
    };
    void start();
  }, [store]);

  /** Adds a list. Returns whether there is one. */
  const put = useCallback((added: PageList | null): boolean => {
    if (added === null) return false;
    const isOther = ({ list }: PageList): boolean => list.checksum !== added.list.checksum;
    setLoaded((before) => [...(before ?? []).filter(isOther), added]);
    return true;
  }, []);
  const change = (map: (one: PageList) => PageList[]): void =>
    setLoaded((before) => (before ?? []).flatMap(map));
  const remove = (gone: PageList): void => change((one) => (one === gone ? [] : [one]));
  const mark = (marked: PageList, isSafe: boolean): void =>
    change((one) => [one === marked ? { ...one, isSafe } : one]);
  /** @param subject the name of the file at the beginning of a sentence. */
  const add = useCallback(
    async (file: File, subject = file.name) =>
      put(await read(file.name, "file", readFile(file), subject)),
    [put],
  );
  const fetchFrom = async (from: StoreSettings) =>
    put(await read(from.list, "store", readStore(from)));

  /** Sentences that say why the lists are not enough for a verdict. If there are any, the page says "Cannot tell". */
  const doubts = useMemo((): readonly string[] => {
    return [
      ...(loaded ?? []).filter(isOutdated).map(({ list: { name, created } }) => {
        return `${name} is out of date: it was made on ${new Date(created).toISOString().slice(0, 10)}.`;
      }),
      ...(loaded?.every(({ isSafe }) => isSafe) ? loaded : []).map(
        ({ list: { name } }) => `${name} is marked as a list of safe sites.`,
      ),
      ...(hasFailed ? ["The built-in list failed to load, so nothing was looked up in it."] : []),
    ];
  }, [hasFailed, loaded]);
  return { builtIn, loaded, problem, reading, add, fetchFrom, put, remove, mark, doubts };
}
