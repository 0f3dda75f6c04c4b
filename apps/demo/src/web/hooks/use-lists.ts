import realListUrl from "virtual:real-list";
import { decodePrefixList, type PrefixList } from "@x/prefix-list";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { isChecksumOf } from "../model/link.ts";
import type { BadLine } from "../model/read-list.ts";
import type { WorkerClient } from "../worker-client.ts";

/** A list to check URLs against. */
export interface LoadedList {
  readonly list: PrefixList;
  readonly isBuiltIn: boolean;
  /** Lines of its file that are not valid entries. */
  readonly badLines: readonly BadLine[];
}

export interface Lists {
  readonly builtIn: LoadedList | null;
  /** `null` until the built-in list is loaded or has failed to load. */
  readonly loaded: readonly LoadedList[] | null;
  /** What went wrong with the last file, for people. */
  readonly problem: string | null;
  /** The name of the file that is being read. */
  readonly reading: string | null;
  readonly add: (name: string, bytes: Uint8Array) => Promise<void>;
  readonly put: (list: LoadedList) => void;
  readonly remove: (list: LoadedList) => void;
}

async function fetchBuiltIn(): Promise<LoadedList> {
  const response = await fetch(realListUrl);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const list = decodePrefixList(new Uint8Array(await response.arrayBuffer()));
  return { list, isBuiltIn: true, badLines: [] };
}

interface ListsOptions {
  /** The checksums in the link that the page was opened with; `null` for the built-in list. */
  readonly wanted: readonly string[] | null;
  /** Called when the user adds or removes a list. */
  readonly onChange: (loaded: readonly LoadedList[]) => void;
}

export function useLists(worker: WorkerClient, { wanted, onChange }: ListsOptions): Lists {
  const [builtIn, setBuiltIn] = useState<LoadedList | null>(null);
  const [loaded, setLoaded] = useState<readonly LoadedList[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState<string | null>(null);
  const current = useRef<readonly LoadedList[]>([]);
  current.current = loaded ?? [];

  // Only the link that the page was opened with counts.
  useEffect(() => {
    const start = (lists: readonly LoadedList[]): void => setLoaded((before) => before ?? lists);
    fetchBuiltIn().then(
      (list) => {
        setBuiltIn(list);
        const isWanted = wanted?.some((sum) => isChecksumOf(sum, list.list.checksum)) ?? true;
        start(isWanted ? [list] : []);
      },
      (error: Error) => {
        setProblem(`The built-in list is not available: ${error.message}.`);
        start([]);
      },
    );
  }, []);

  const change = useCallback(
    (next: readonly LoadedList[]): void => {
      setLoaded(next);
      onChange(next);
    },
    [onChange],
  );
  const put = useCallback(
    (added: LoadedList): void => {
      const isOther = ({ list }: LoadedList): boolean => list.checksum !== added.list.checksum;
      change([...current.current.filter(isOther), added]);
    },
    [change],
  );
  const remove = useCallback(
    (gone: LoadedList): void => change(current.current.filter((one) => one !== gone)),
    [change],
  );

  const add = useCallback(
    async (name: string, bytes: Uint8Array): Promise<void> => {
      setReading(name);
      setProblem(null);
      try {
        const { list, badLines } = await worker.ask("read-list", { bytes, name });
        if (list.size === 0) setProblem(`${name} has no entries, so it was not added.`);
        else put({ list: list.name === "" ? { ...list, name } : list, isBuiltIn: false, badLines });
      } catch (error) {
        setProblem(`${name} was not added: ${(error as Error).message}.`);
      }
      setReading(null);
    },
    [worker, put],
  );

  return { builtIn, loaded, problem, reading, add, put, remove };
}
