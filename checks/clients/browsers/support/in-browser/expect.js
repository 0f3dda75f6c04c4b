// The functions of vitest that the cases use, rewritten for browsers.
function fail(what, found) {
  throw new Error(`expected ${what}, not ${JSON.stringify(found)}`);
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export function expect(found) {
  return {
    toBe: (wanted) => Object.is(found, wanted) || fail(wanted, found),
    toBeNull: () => found === null || fail("null", found),
    toEqual: (wanted) => isSame(found, wanted) || fail(JSON.stringify(wanted), found),
    toHaveLength: (length) => found?.length === length || fail(`length ${length}`, found?.length),
    rejects: {
      async toThrow(kind = Object) {
        const error = await found.then(
          () => fail("an error", "none"),
          (reason) => reason,
        );
        if (!(error instanceof kind)) fail(kind.name, String(error));
      },
    },
  };
}

globalThis.Buffer ??= {
  compare: (a, b) => (a.length === b.length && a.every((byte, i) => byte === b[i]) ? 0 : 1),
};
