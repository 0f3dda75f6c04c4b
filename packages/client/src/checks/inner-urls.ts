import { typeError } from "@x/canon/type-error";
import type { InnerUrl, Unwrap } from "@x/lookup";
import type { ClientMatch, ClientVerdict } from "../verdict.ts";

type Url = string | Uint8Array;

/**
 * The verdicts on URLs and on the URLs inside them. All are evaluated together.
 *
 * @throws TypeError when `unwrap` is not a function.
 */
export async function checkInside(
  urls: readonly Url[],
  unwrap: Unwrap,
  verdictsOn: (urls: readonly Url[]) => Promise<readonly ClientVerdict[]>,
): Promise<ClientVerdict[]> {
  if (typeof unwrap !== "function") throw typeError("unwrap", "a function", unwrap);
  const unwrapped = urls.map((url) => unwrap(url));
  const all = urls.flatMap((url, i) => [url, ...unwrapped[i]!.found.map((inner) => inner.url)]);
  const verdicts = (await verdictsOn(all)).values();
  const next = () => verdicts.next().value!;
  return unwrapped.map(({ found, limits }) => {
    const own = next();
    return combined(
      own,
      found.map((inner) => withInner(next(), inner)),
      limits.length > 0,
    );
  });
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
