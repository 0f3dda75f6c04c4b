/** The verdict on a URL that another program asks about. */
export type HelperVerdict =
  | { readonly kind: "not-listed" }
  /** `unchecked`: the lists could not be read, or the server did not answer. */
  | { readonly kind: "listed" | "unreadable" | "unchecked"; readonly reason: string };

/** Why there is no verdict on a URL, by the code of its error. */
export function unreadableReason(code: string): string {
  return code === "host-undecided"
    ? "no verdict: the host has characters that are not in UTF-8, or that Unicode does not define yet (host-undecided)"
    : `not a URL: ${code}`;
}

/** Where verdicts come from. */
export interface VerdictSource {
  /** One verdict for each URL, in order. A problem gives a verdict, too, and no error. */
  readonly verdictsOn: (urls: readonly string[]) => Promise<readonly HelperVerdict[]>;
  /** Ends the work in the background. */
  readonly close: () => void;
}
