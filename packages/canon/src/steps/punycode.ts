import { isUpperCase } from "../ascii.ts";

// RFC 3492 §5, the parameters for internationalized domain names.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 0x80;
const LAST_CODE_POINT = 0x10ffff;

/** The start of a label in Punycode (RFC 5890 §2.3.2.5). */
export const PUNYCODE = "xn--";

/** The adaptation of the bias (RFC 3492 §6.1). */
function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

function threshold(k: number, bias: number): number {
  return Math.min(Math.max(k - bias, T_MIN), T_MAX);
}

/**
 * The Punycode of a label (RFC 3492 §6.3), with the prefix `xn--`.
 *
 * The RFC's algorithm goes over the whole label once for each distinct character. Here, the characters are
 * sorted by code point and position, and each is inserted after the characters to its left that are already
 * in the output.
 */
export function encodeLabel(label: string): string {
  const { length } = label;
  let output = "";
  /** The non-ASCII characters, each as code point * length + index in the label. */
  const others: number[] = [];
  /** A Fenwick tree of the indices of the characters already in the output. */
  const written = new Uint32Array(length + 1);
  for (let at = 0; at < length; at++) {
    const code = label.codePointAt(at)!;
    if (code < INITIAL_N) {
      output += label[at];
      addIndex(written, at);
    } else {
      others.push(code * length + at);
      if (code > 0xffff) at++;
    }
  }
  const basic = output.length;
  if (basic > 0) output += "-";
  let n = INITIAL_N;
  let i = 0;
  let bias = INITIAL_BIAS;
  let handled = basic;
  for (const other of new Float64Array(others).sort()) {
    const at = other % length;
    const code = (other - at) / length;
    const place = countBefore(written, at);
    const delta = (code - n) * (handled + 1) + place - i;
    output += variableLength(delta, bias);
    addIndex(written, at);
    bias = adapt(delta, handled + 1, handled === basic);
    handled++;
    n = code;
    i = place + 1;
  }
  return PUNYCODE + output;
}

function addIndex(tree: Uint32Array, index: number): void {
  for (let at = index + 1; at < tree.length; at += at & -at) tree[at]!++;
}

/** The number of indices in a Fenwick tree that are less than `index`. */
function countBefore(tree: Uint32Array, index: number): number {
  let count = 0;
  for (let at = index; at > 0; at -= at & -at) count += tree[at]!;
  return count;
}

function variableLength(delta: number, bias: number): string {
  let output = "";
  let rest = delta;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (rest < t) return output + digit(rest);
    output += digit(t + ((rest - t) % (BASE - t)));
    rest = Math.floor((rest - t) / (BASE - t));
  }
}

/** RFC 3492 §5: the digits are a to z, then 0 to 9. */
function digit(value: number): string {
  return String.fromCharCode(value < 26 ? value + 0x61 : value - 26 + 0x30);
}

function digitValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  const lower = isUpperCase(code) ? code + 0x20 : code;
  return lower >= 0x61 && lower <= 0x7a ? lower - 0x61 : BASE;
}

/**
 * A label in its own letters: a label that begins with `xn--` is decoded (RFC 3492 §6.2). `null` if it is not Punycode.
 * Decoding takes quadratic time.
 */
export function decodeLabel(label: string): string | null {
  return label.startsWith(PUNYCODE) ? decoded(label.slice(PUNYCODE.length)) : label;
}

function decoded(text: string): string | null {
  const delimiter = text.lastIndexOf("-");
  const codes = Array.from(text.slice(0, Math.max(0, delimiter)), (c) => c.charCodeAt(0));
  // A delimiter with nothing before it does not count.
  let at = delimiter <= 0 ? 0 : delimiter + 1;
  let n = INITIAL_N;
  let i = 0;
  let bias = INITIAL_BIAS;
  while (at < text.length) {
    const before = i;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      const value = at < text.length ? digitValue(text.charCodeAt(at++)) : BASE;
      if (value >= BASE) return null;
      i += value * weight;
      if (i > Number.MAX_SAFE_INTEGER / BASE) return null;
      const t = threshold(k, bias);
      if (value < t) break;
      weight *= BASE - t;
    }
    const points = codes.length + 1;
    bias = adapt(i - before, points, before === 0);
    n += Math.floor(i / points);
    if (n > LAST_CODE_POINT) return null;
    i %= points;
    codes.splice(i++, 0, n);
  }
  return String.fromCodePoint(...codes);
}
