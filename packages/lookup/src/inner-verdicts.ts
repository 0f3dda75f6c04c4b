import type { InnerUrl, Unwrap } from "./verdict.ts";

/** The result of `unwrap` for a URL. */
type Unwrapped = ReturnType<Unwrap>;

/** The URL inside, as `unwrap` returns it. */
type InnerOf<Opened extends Unwrapped> = Opened["found"][number];

/** The verdict on a URL, and the verdicts on the URLs inside it. */
export interface VerdictsInside<Verdict, Opened extends Unwrapped> {
  readonly opened: Opened;
  readonly own: Verdict;
  readonly inner: readonly { readonly inner: InnerOf<Opened>; readonly verdict: Verdict }[];
}

/** URLs, each followed by the URLs inside it, so that all can be checked together. */
export interface OpenedUrls<Url, Opened extends Unwrapped> {
  readonly urls: readonly (Url | string)[];
  /** Groups the verdicts, which are in the order of `urls`, by the given URLs. */
  readonly sorted: <Verdict>(verdicts: Iterable<Verdict>) => VerdictsInside<Verdict, Opened>[];
}

/** @param opened the result of `unwrap` for each of the URLs. */
export function openedUrls<Url, Opened extends Unwrapped>(
  given: readonly Url[],
  opened: readonly Opened[],
): OpenedUrls<Url, Opened> {
  return {
    urls: given.flatMap((url, i) => [url, ...opened[i]!.found.map((inner) => inner.url)]),
    sorted(all) {
      const verdicts = all[Symbol.iterator]();
      const next = () => verdicts.next().value!;
      return opened.map((each) => ({
        opened: each,
        own: next(),
        inner: each.found.map((inner) => ({ inner, verdict: next() })),
      }));
    },
  };
}

/** The matches of a URL inside another one, each with the inner URL. */
export function innerMatches<Found, Inner extends InnerUrl>(
  inner: Inner,
  { matches }: { readonly matches: readonly Found[] },
): (Found & { readonly inner: Inner })[] {
  return matches.map((match) => ({ ...match, inner }));
}

/** Whether it is an error if a value inside is not a URL. A hint or a guess that is not a URL is ignored. */
export function mustBeUrl({ certainty }: InnerUrl): boolean {
  return certainty === "certain";
}

/** Whether a URL with no match cannot count as safe, because there may be more URLs inside. */
export function mayHaveMore({ limits }: Pick<Unwrapped, "limits">, isListed: boolean): boolean {
  return !isListed && limits.length > 0;
}
