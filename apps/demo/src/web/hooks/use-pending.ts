import { useEffect, useLayoutEffect } from "preact/hooks";

let pending = 0;

function change(by: number): void {
  pending += by;
  document.documentElement.dataset["pending"] = String(pending);
}

/**
 * Counts the parts of the page that will still change without any action of the user, in the attribute `data-pending`
 * of the root element. The count is "0" when everything is loaded, answered and shown. Tests, for example, can wait for
 * "0".
 *
 * Derive `isPending` from the rendered state. If one part starts to wait in the same rendering in which another stops,
 * the count then does not drop to 0 in between.
 */
export function usePending(isPending: boolean): void {
  useLayoutEffect(() => {
    if (!isPending) return;
    change(1);
    return () => change(-1);
  }, [isPending]);
}

/** Counts work that no component shows, until it is done. */
export async function pendingUntil<T>(work: Promise<T>): Promise<T> {
  change(1);
  try {
    return await work;
  } finally {
    change(-1);
  }
}

export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · urlhash`;
  }, [title]);
}
