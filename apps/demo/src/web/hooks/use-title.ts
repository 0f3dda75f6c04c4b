import { useEffect } from "preact/hooks";

/** Sets the title of the page, unless it is `null`. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · urlhash`;
  }, [title]);
}
