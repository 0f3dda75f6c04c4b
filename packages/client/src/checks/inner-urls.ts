import { typeError } from "@x/canon/type-error";
import type { InnerUrl, Unwrap } from "@x/lookup";
import type { ClientMatch, ClientVerdict } from "../verdict.ts";

type Url = string | Uint8Array;

/** URLs with the URLs inside them. */
interface Opened {
  readonly urls: readonly Url[];
  /** Combines the verdicts on `urls`, in their order, to one for each URL that was opened. */
  readonly combine: (verdicts: Iterable<ClientVerdict>) => ClientVerdict[];
}

function openAll(urls: readonly Url[], unwrap: Unwrap): Opened {
  if (typeof unwrap !== "function") throw typeError("unwrap", "a function", unwrap);
  const unwrapped = urls.map((url) => unwrap(url));
  return {
    urls: urls.flatMap((url, i) => [url, ...unwrapped[i]!.found.map((inner) => inner.url)]),
    combine(all) {
      const verdicts = all[Symbol.iterator]();
      const next = (): ClientVerdict => verdicts.next().value!;
      return unwrapped.map(({ found, limits }) => {
        const own = next();
        const inner = found.map((each) => withInner(next(), each));
        return combined(own, inner, limits.length > 0);
      });
    },
  };
}

/**
 * The verdicts on URLs and on the URLs inside them. All are evaluated together.
 *
 * @throws TypeError when `unwrap` is not a function.
 */
export async function checkInside(
  given: readonly Url[],
  unwrap: Unwrap,
  verdictsOn: (urls: readonly Url[]) => Promise<readonly ClientVerdict[]>,
): Promise<ClientVerdict[]> {
  const { urls, combine } = openAll(given, unwrap);
  return combine(await verdictsOn(urls));
}

/**
 * The verdict on a URL and on the URLs inside it, without a request.
 *
 * @throws TypeError when `unwrap` is not a function.
 */
export function checkInsideLocally(
  url: Url,
  unwrap: Unwrap,
  verdictOn: (url: Url) => ClientVerdict,
): ClientVerdict {
  const { urls, combine } = openAll([url], unwrap);
  return combine(urls.map(verdictOn))[0]!;
}

/** The verdict on an inner URL, whose matches say where they come from. A guess that is not a URL means nothing. */
function withInner(verdict: ClientVerdict, inner: InnerUrl): ClientVerdict | null {
  if (verdict.reason === "url-invalid" && inner.certainty !== "certain") return null;
  return {
    ...verdict,
    matches: verdict.matches.map((match): ClientMatch => ({ ...match, inner })),
  };
}

/** One listed URL is enough for `"unsafe"`; for `"safe"`, all must be. */
function combined(
  own: ClientVerdict,
  inner: readonly (ClientVerdict | null)[],
  isLimited: boolean,
): ClientVerdict {
  const all = [own, ...inner.filter((verdict) => verdict !== null)];
  const unsafe = all.filter(({ verdict }) => verdict === "unsafe");
  const counted = unsafe.length > 0 ? unsafe : all;
  const decisive =
    unsafe[0] ??
    all.find(({ verdict }) => verdict === "unsure") ??
    all.find((each) => !each.confirmed);
  const isUnsure = isLimited && (decisive === undefined || decisive.verdict === "safe");
  return {
    ...(decisive ?? own),
    url: own.url,
    local: own.local,
    matches: counted.flatMap(({ matches }) => matches),
    expires: counted.reduce<number | null>(
      (until, { expires }) =>
        until === null || expires === null ? null : Math.min(until, expires),
      counted[0]!.expires,
    ),
    ...(isUnsure && { verdict: "unsure", confirmed: false, reason: "unwrap-limit", expires: null }),
  };
}
