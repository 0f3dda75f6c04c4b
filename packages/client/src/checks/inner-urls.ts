import type { Unwrap } from "@x/lookup";
import {
  innerMatches,
  mayHaveMore,
  mustBeUrl,
  type OpenedUrls,
  openedUrls,
  type VerdictsInside,
} from "@x/lookup/inside";
import { typeError } from "@x/sha256-prefix/type-error";
import type { ClientVerdict } from "../verdict.ts";

type Url = string | Uint8Array;

function openAll(urls: readonly Url[], unwrap: Unwrap): OpenedUrls<Url, ReturnType<Unwrap>> {
  if (typeof unwrap !== "function") throw typeError("unwrap", "a function", unwrap);
  return openedUrls(
    urls,
    urls.map((url) => unwrap(url)),
  );
}

/**
 * The verdicts on URLs and on the URLs inside them. All URLs are evaluated together.
 *
 * @throws TypeError when `unwrap` is not a function.
 */
export async function checkInside(
  given: readonly Url[],
  unwrap: Unwrap,
  verdictsOn: (urls: readonly Url[]) => Promise<readonly ClientVerdict[]>,
): Promise<ClientVerdict[]> {
  const { urls, sorted } = openAll(given, unwrap);
  return sorted(await verdictsOn(urls)).map(combined);
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
  const { urls, sorted } = openAll([url], unwrap);
  return combined(sorted(urls.map(verdictOn))[0]!);
}

/** One listed URL is enough for `"unsafe"`; for `"safe"`, all URLs must be safe. */
function combined({
  own,
  inner: inside,
  opened,
}: VerdictsInside<ClientVerdict, ReturnType<Unwrap>>): ClientVerdict {
  const counting = inside.filter(
    ({ inner, verdict }) => verdict.reason !== "url-invalid" || mustBeUrl(inner),
  );
  const all = [
    own,
    ...counting.map(({ inner, verdict }) => ({
      ...verdict,
      matches: innerMatches(inner, verdict),
    })),
  ];
  const unsafe = all.filter(({ verdict }) => verdict === "unsafe");
  const counted = unsafe.length > 0 ? unsafe : all;
  const decisive =
    unsafe[0] ??
    all.find(({ verdict }) => verdict === "unsure") ??
    all.find((each) => !each.confirmed);
  const isDecided = decisive !== undefined && decisive.verdict !== "safe";
  const isUnsure = mayHaveMore(opened, isDecided);
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
