// Encodes the table as text, one run of characters after another. `src/steps/uts46.ts` decodes this text.

/** The letter for each kind of run. The numbers after these letters use all characters of `DIGITS`. */
const KINDS = { valid: "v", mark: "m", ignored: "i", disallowed: "d", undecided: "u" };

/**
 * Each digit has six bits: five bits of the number, the lowest first, and one bit that is set if another digit follows.
 */
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function number(value) {
  let text = "";
  let rest = value;
  for (; rest >= 32; rest = Math.floor(rest / 32)) text += DIGITS[32 + (rest % 32)];
  return text + DIGITS[rest];
}

function signed(value) {
  return number(value < 0 ? -2 * value - 1 : 2 * value);
}

/**
 * A run of characters of one kind, such as `"valid"`, is a letter and a length. A run of mapped characters is one of
 * these:
 *
 * - `o`, a length and a distance: each character is mapped to the one at this distance;
 * - `a` and a length: every second character, from the first, is mapped to the next, which is valid;
 * - `t`, a length and texts: each text is its length and its code points, each as its difference from the previous code
 *   point in the table.
 */
export function encodeTable(characters) {
  let text = "";
  let last = 0;
  let i = 0;
  while (i < characters.length) {
    const start = i;
    const kind = characters[i];
    if (typeof kind === "string") {
      while (i < characters.length && characters[i] === kind) i++;
      text += KINDS[kind] + number(i - start);
      continue;
    }
    const alternating = alternatingEnd(characters, i);
    const offset = offsetEnd(characters, i);
    if (alternating - i >= 4) {
      i = alternating;
      text += `a${number(i - start)}`;
    } else if (offset - i >= 2) {
      i = offset;
      text += `o${number(i - start)}${signed(distance(characters, start))}`;
    } else {
      let texts = "";
      do {
        texts += number(characters[i].length);
        for (const code of characters[i]) {
          texts += signed(code - last);
          last = code;
        }
        i++;
      } while (
        Array.isArray(characters[i]) &&
        alternatingEnd(characters, i) - i < 4 &&
        offsetEnd(characters, i) - i < 3
      );
      text += `t${number(i - start)}${texts}`;
    }
  }
  return text;
}

function distance(characters, i) {
  const mapped = characters[i];
  // The table starts at U+0080.
  return Array.isArray(mapped) && mapped.length === 1 ? mapped[0] - (i + 0x80) : null;
}

function offsetEnd(characters, start) {
  const offset = distance(characters, start);
  let i = start;
  if (offset !== null) while (distance(characters, i) === offset) i++;
  return i;
}

function alternatingEnd(characters, start) {
  let i = start;
  while (distance(characters, i) === 1 && characters[i + 1] === "valid") i += 2;
  return i;
}
