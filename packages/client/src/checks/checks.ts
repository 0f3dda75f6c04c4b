import { ownOptions } from "@x/canon/own-options";
import { unlessAborted } from "@x/list-store/transport";
import type { Unwrap } from "@x/lookup";
import {
  innerMatches,
  mayHaveMore,
  mustBeUrl,
  type OpenedUrls,
  openedUrls,
  type VerdictsInside,
} from "@x/lookup/inside";
import { isUint8Array } from "@x/sha256-prefix";
import { typeError } from "@x/sha256-prefix/type-error";
import type { ClientVerdict } from "../verdict.ts";

/** The options of one check. */
export interface CheckOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the URL is opened in a frame: some threats only count there. The default is `false`. */
  readonly frame?: boolean | undefined;
  /**
   * Checks the URLs inside each URL, too, such as those that email filters and redirects wrap. Pass `unwrapLink`,
   * which the package for links exports. Without it, only the URL itself is checked.
   */
  readonly unwrap?: Unwrap | undefined;
}

type Urls = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** Checks of URLs that may ask a server. */
export interface Checks {
  check(url: string | Uint8Array, options?: CheckOptions): Promise<ClientVerdict>;
  checkMany(urls: Urls, options?: CheckOptions): AsyncGenerator<ClientVerdict, void, undefined>;
}

export interface Evaluator {
  /** The verdict on a URL if the local lists alone show that it is not listed; `null` for any other URL. */
  readonly settled: (url: string | Uint8Array) => ClientVerdict | null;
  /** Does the same as `settled` for many URLs at once, which is faster. */
  readonly settledMany: (
    urls: readonly (string | Uint8Array)[],
  ) => readonly (ClientVerdict | null)[];
  /** One verdict for each URL, in order. The lists and the cache are read before the first wait. */
  readonly evaluate: (
    urls: readonly (string | Uint8Array)[],
    options: CheckOptions,
  ) => Promise<readonly ClientVerdict[]>;
}

/** An evaluator for which no URL is settled. */
export const NONE_SETTLED: Pick<Evaluator, "settled" | "settledMany"> = {
  settled: () => null,
  settledMany: (urls) => urls.map(() => null),
};

/** The maximum number of URLs that `checkMany` takes at a time. */
const WINDOW_URLS = 256;

const NO_OPTIONS: CheckOptions = Object.freeze(Object.create(null));

/** Yields arrays of up to 256 items. Items of a slow stream do not wait until an array is full. */
async function* windowsOf<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Item[], void, undefined> {
  if (Symbol.iterator in items) {
    let window: Item[] = [];
    for (const item of items) {
      window.push(item);
      if (window.length < WINDOW_URLS) continue;
      yield window;
      window = [];
    }
    if (window.length > 0) yield window;
    return;
  }
  const iterator = items[Symbol.asyncIterator]();
  let isDone = false;
  try {
    let next = iterator.next();
    while (!isDone) {
      const window: Item[] = [];
      const soon = new Promise<null>((resolve) => setTimeout(resolve, 0, null));
      let result: IteratorResult<Item> | null = await unlessAborted(next, signal);
      while (result !== null && !result.done) {
        window.push(result.value);
        next = iterator.next();
        // The promise is awaited later, and may reject before that.
        next.catch(() => {});
        result =
          window.length < WINDOW_URLS
            ? await unlessAborted(Promise.race([next, soon]), signal)
            : null;
      }
      isDone = result?.done === true;
      if (window.length > 0) yield window;
    }
  } finally {
    // A stream that is waiting for its next item would only end after that item, so an aborted check does not wait for
    // the end.
    const ending = isDone ? undefined : iterator.return?.();
    if (signal?.aborted) ending?.catch(() => {});
    else await ending;
  }
}

function areAllKnown(
  verdicts: readonly (ClientVerdict | null)[],
): verdicts is readonly ClientVerdict[] {
  return !verdicts.includes(null);
}

export function createChecks({ settled, settledMany, evaluate }: Evaluator): Checks {
  /** One verdict for each URL, in order. */
  async function verdictsOn(
    urls: readonly (string | Uint8Array)[],
    options: CheckOptions,
  ): Promise<readonly ClientVerdict[]> {
    const known = settledMany(urls);
    if (areAllKnown(known)) return known;
    const open = urls.filter((_, i) => known[i] === null);
    const verdicts = (await evaluate(open, options)).values();
    return known.map((verdict) => verdict ?? verdicts.next().value!);
  }

  const evaluateOne = (url: string | Uint8Array, options: CheckOptions) =>
    evaluate([url], options).then(([only]) => only!);

  function checkWith(url: string | Uint8Array, options: CheckOptions): Promise<ClientVerdict> {
    const { signal, unwrap } = options;
    signal?.throwIfAborted();
    if (unwrap !== undefined) {
      const each = (urls: readonly (string | Uint8Array)[]) => verdictsOn(urls, options);
      return checkInside([url], unwrap, each).then(([only]) => only!);
    }
    const verdict = settled(url);
    return verdict === null ? evaluateOne(url, options) : Promise.resolve(verdict);
  }

  async function* windowsOfVerdicts(
    urls: Urls,
    given: CheckOptions | undefined,
  ): AsyncGenerator<readonly ClientVerdict[], void, undefined> {
    const options = ownOptions(given ?? {});
    const { signal, unwrap } = options;
    if (typeof urls === "string" || isUint8Array(urls)) {
      throw typeError("urls", "an array or another iterable of URLs", urls);
    }
    const each = (all: readonly (string | Uint8Array)[]) => verdictsOn(all, options);
    for await (const window of windowsOf(urls, signal)) {
      signal?.throwIfAborted();
      yield unwrap === undefined ? await each(window) : await checkInside(window, unwrap, each);
    }
  }

  return {
    check(url, given) {
      try {
        if (given !== undefined) return checkWith(url, ownOptions(given));
        // A fast path for calls without options.
        const verdict = settled(url);
        return verdict === null ? evaluateOne(url, NO_OPTIONS) : Promise.resolve(verdict);
      } catch (error) {
        return Promise.reject(error);
      }
    },

    checkMany: (urls, given) => oneByOne(windowsOfVerdicts(urls, given)),
  };
}

/**
 * Yields the items of arrays one by one. It does what `for await (const some of arrays) yield* some` in an async
 * generator does, but in a third of the time: an item that is already there needs one promise, not several.
 */
function oneByOne<Item>(
  arrays: AsyncGenerator<readonly Item[], void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  let items: readonly Item[] = [];
  let index = 0;
  /** Calls that have to wait are answered in order. */
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    waiting++;
    const result = last.then(run);
    const end = () => void waiting--;
    last = result.then(end, end);
    return result;
  }

  async function nextOfArrays(): Promise<IteratorResult<Item, void>> {
    while (index === items.length) {
      const next = await arrays.next();
      if (next.done) return next;
      items = next.value;
      index = 0;
    }
    return { done: false, value: items[index++]! };
  }

  function drop(): void {
    items = [];
    index = 0;
  }

  return {
    next() {
      if (waiting > 0 || index === items.length) return inTurn(nextOfArrays);
      return Promise.resolve({ done: false, value: items[index++]! });
    },
    return: (value) =>
      inTurn(async () => {
        drop();
        await arrays.return(undefined);
        return { done: true, value: await value };
      }),
    throw: (error) =>
      inTurn(async () => {
        drop();
        await arrays.throw(error);
        return { done: true, value: undefined };
      }),
    [Symbol.asyncIterator]() {
      return this;
    },
  } as AsyncGenerator<Item, void, undefined>;
}

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
async function checkInside(
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
