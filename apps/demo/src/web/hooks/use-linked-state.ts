import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { EngineChoice } from "../model/engine.ts";
import { readLink, type WrittenLink, writeLink } from "../model/link.ts";
import { type AllValues, INITIAL, type ScreenName, type Values } from "../model/screens.ts";

/** The part of the page that a link describes. */
export interface PageState {
  readonly screen: ScreenName;
  readonly values: AllValues;
  readonly engine: EngineChoice;
  /** `null` for the built-in list alone. */
  readonly lists: readonly string[] | null;
  /** The text of the list that the user tries. */
  readonly tried: string;
}

/** Sets one value of a screen. */
export type SetValue<S extends ScreenName> = <K extends keyof Values<S>>(
  key: K,
  value: Values<S>[K],
) => void;

type Update = (change: (state: PageState) => PageState) => void;

/** Sets the values of each screen. */
type Setters = { readonly [S in ScreenName]: SetValue<S> };

function setterFor<S extends ScreenName>(screen: S, update: Update): SetValue<S> {
  return (key, value) =>
    update((before) => ({
      ...before,
      values: { ...before.values, [screen]: { ...before.values[screen], [key]: value } },
    }));
}

function fromLocation(before: AllValues): PageState {
  const { screen, values, ...others } = readLink(location.hash);
  return { screen, values: { ...before, [screen]: values }, ...others };
}

function toLink({ screen, values, ...others }: PageState): WrittenLink {
  return writeLink({ screen, values: values[screen], ...others });
}

const WRITE_MS = 200;

/** The state of the page. It is kept in the `#fragment`, which is never sent to a server. */
export function useLinkedState(): {
  readonly state: PageState;
  readonly link: WrittenLink;
  readonly update: Update;
  readonly setters: Setters;
  readonly goTo: (screen: ScreenName) => void;
} {
  const [state, setState] = useState(() => fromLocation(INITIAL));
  const link = toLink(state);
  const written = useRef(link.fragment);

  useEffect(() => {
    if (link.fragment === written.current && location.hash !== "") return;
    // Browsers ignore a page that changes its address at every keystroke.
    const timer = setTimeout(() => {
      written.current = link.fragment;
      history.replaceState(null, "", link.fragment);
    }, WRITE_MS);
    return () => clearTimeout(timer);
  }, [link.fragment]);

  useEffect(() => {
    const follow = (): void => {
      if (location.hash === written.current) return;
      setState(({ values }) => {
        const next = fromLocation(values);
        written.current = toLink(next).fragment;
        return next;
      });
    };
    addEventListener("hashchange", follow);
    addEventListener("popstate", follow);
    return () => {
      removeEventListener("hashchange", follow);
      removeEventListener("popstate", follow);
    };
  }, []);

  const goTo = useCallback((screen: ScreenName): void => {
    setState((before) => {
      if (screen === before.screen) return before;
      const next = { ...before, screen };
      // The last changes on the old screen may not be written yet.
      history.replaceState(null, "", toLink(before).fragment);
      written.current = toLink(next).fragment;
      history.pushState(null, "", written.current);
      return next;
    });
  }, []);

  const setters = useMemo(
    (): Setters => ({
      url: setterFor("url", setState),
      many: setterFor("many", setState),
      hashed: setterFor("hashed", setState),
      urn: setterFor("urn", setState),
    }),
    [],
  );
  return { state, link, update: setState, setters, goTo };
}
