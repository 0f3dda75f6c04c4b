import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import {
  type AllValues,
  INITIAL,
  SCREEN_NAMES,
  type ScreenName,
  type Values,
} from "../model/screens.ts";
import { type Link, readLink, writeHistoryEntry, writeLink } from "../model/share-link.ts";

/** The state of the page that links describe, with the values of all screens. */
interface PageState {
  readonly screen: ScreenName;
  readonly values: AllValues;
}

export type SetValues<S extends ScreenName> = (changed: Partial<Values<S>>) => void;

type Update = (change: (state: PageState) => PageState) => void;

type Setters = { readonly [S in ScreenName]: SetValues<S> };

function settersWith(update: Update): Setters {
  const setter = (screen: ScreenName) => (changed: object) =>
    update((before) => ({
      ...before,
      values: { ...before.values, [screen]: { ...before.values[screen], ...changed } },
    }));
  return Object.fromEntries(SCREEN_NAMES.map((name) => [name, setter(name)])) as Setters;
}

/** The description of the current view: the history entry if the page wrote it, or else the fragment of the address. */
function currentView(): string {
  return typeof history.state === "string" ? history.state : location.hash;
}

function fromHistory(before: AllValues): PageState {
  const { screen, values } = readLink(currentView());
  const all = { ...before, [screen]: values };
  // The same tab of the details stays open, unless the link names another one.
  const { tab } = all.url;
  const url = { ...all.url, tab: tab === INITIAL.url.tab ? before.url.tab : tab };
  return { screen, values: { ...all, url } };
}

function toLink({ screen, values }: PageState): Link {
  return { screen, values: values[screen] };
}

/**
 * Writes a view into the history. The address names only the screen, because browsers keep addresses and may send them
 * to servers.
 */
function writeHistory(how: "pushState" | "replaceState", entry: string, screen: ScreenName): void {
  history[how](entry, "", `#${screen}`);
}

const WRITE_MS = 200;

/** The state of the page. The history of the tab keeps it, and a link to share contains it. */
export function useLinkedState() {
  const [state, setState] = useState(() => fromHistory(INITIAL));
  const { screen } = state;
  const link = writeLink(toLink(state));
  const entry = writeHistoryEntry(toLink(state));
  const written = useRef(entry);
  /**
   * The timer that will write the history. Code that changes the address stops the timer itself, because an effect
   * would stop it too late.
   */
  const writing = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  useEffect(() => {
    if (entry === written.current && location.hash !== "") return;
    // Browsers ignore changes of the history that come too often, so it is not changed at every keystroke.
    writing.current = setTimeout(() => {
      written.current = entry;
      writeHistory("replaceState", entry, screen);
    }, WRITE_MS);
    return () => clearTimeout(writing.current);
  }, [entry]);

  useEffect(() => {
    const follow = (): void => {
      if (currentView() === written.current) return;
      clearTimeout(writing.current);
      setState(({ values }) => {
        const next = fromHistory(values);
        written.current = writeHistoryEntry(toLink(next));
        return next;
      });
    };
    const listening = new AbortController();
    addEventListener("hashchange", follow, listening);
    addEventListener("popstate", follow, listening);
    return () => listening.abort();
  }, []);

  /** Goes to a screen, perhaps with other values. The browser's Back button then returns to the previous state. */
  const goTo = useCallback((screen: ScreenName, changed: object = {}): void => {
    setState((before) => {
      const values = { ...before.values, [screen]: { ...before.values[screen], ...changed } };
      const next = { ...before, screen, values };
      const left = writeHistoryEntry(toLink(before));
      const entered = writeHistoryEntry(toLink(next));
      if (entered === left) return next;
      // The last changes on the old screen may not have been written yet.
      clearTimeout(writing.current);
      writeHistory("replaceState", left, before.screen);
      written.current = entered;
      writeHistory("pushState", entered, screen);
      return next;
    });
  }, []);

  const setters = useMemo(() => settersWith(setState), []);
  return { state, link, setters, goTo };
}
