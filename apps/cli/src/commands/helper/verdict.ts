/** The verdict on a URL that a proxy or another program asks about. */
export type HelperVerdict =
  | { readonly kind: "not-listed" }
  /** `unchecked`: there is no verdict, because usable lists or an answer from the server are missing. */
  | { readonly kind: "listed" | "unreadable" | "unchecked"; readonly reason: string };

const REASONS: ReadonlyMap<string, string> = new Map([
  [
    "host-undecided",
    "no verdict: the host has bytes that are not UTF-8, or characters that Unicode does not define yet (host-undecided)",
  ],
  ["host-invalid", "no verdict: no site can have this host (host-invalid)"],
  ["url-unclear", "no verdict: this is not clearly one URL (url-unclear)"],
]);

/** Describes why a URL cannot be read, given the code of its error. */
export function unreadableReason(code: string): string {
  return REASONS.get(code) ?? `not a URL: ${code}`;
}

/** A source of verdicts. */
export interface VerdictSource {
  /**
   * Returns one verdict for each URL, in order. If the URLs cannot be checked, their verdicts are `unchecked`, and no
   * error is thrown.
   */
  readonly verdictsOn: (urls: readonly string[]) => Promise<readonly HelperVerdict[]>;
  /** Ends all background work. */
  readonly close: () => void;
}
