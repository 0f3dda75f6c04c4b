import { useLayoutEffect } from "preact/hooks";

let pending = 0;

function change(by: number): void {
  pending += by;
  document.documentElement.dataset["pending"] = String(pending);
}

/**
 * Counts a part of the page that will still change without the user, in `data-pending` at the root. It is "0" when
 * everything is loaded, answered and shown. Whoever drives the page, such as a test, can wait for that.
 *
 * Pass a value that follows from what is rendered. Then a part that starts to wait in the same rendering in which
 * another part ends is counted without a gap.
 */
export function usePending(isPending: boolean): void {
  useLayoutEffect(() => {
    if (!isPending) return;
    change(1);
    return () => change(-1);
  }, [isPending]);
}

/** The same for work that no rendering shows. */
export async function pendingUntil<T>(work: Promise<T>): Promise<T> {
  change(1);
  try {
    return await work;
  } finally {
    change(-1);
  }
}
