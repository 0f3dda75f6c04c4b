import { useEffect } from "preact/hooks";

/** Elements that can take the focus when an element in them is removed: the parts of a screen and the screen itself. */
const PLACES = ".panel[tabindex], #screen";

/**
 * When the focused element is removed from the page, the part of the screen around it gets the focus. Otherwise the
 * next Tab would start at the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let focused: Element | null = null;
    let places: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent): void => {
      focused = target as Element;
      const all = [...document.querySelectorAll<HTMLElement>(PLACES)];
      // The innermost element comes first.
      places = all.filter((place) => place.contains(focused)).reverse();
    };
    const keep = (): void => {
      if (focused === null || focused.isConnected) return;
      focused = null;
      if (document.activeElement !== document.body) return;
      const place = places.find(({ isConnected }) => isConnected);
      (place ?? document.getElementById("screen"))?.focus();
    };
    const observer = new MutationObserver(keep);
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener("focusin", remember);
    return () => {
      observer.disconnect();
      removeEventListener("focusin", remember);
    };
  }, []);
}
