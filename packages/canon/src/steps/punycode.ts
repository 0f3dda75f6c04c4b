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

/** RFC 3492 §6.1. */
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

/** The Punycode of a label (RFC 3492 §6.3), without a prefix. Takes quadratic time. */
export function encodePunycode(label: string): string {
  const codes = Array.from(label, (c) => c.codePointAt(0)!);
  const basic = codes.filter((code) => code < INITIAL_N);
  let output = String.fromCharCode(...basic) + (basic.length > 0 ? "-" : "");
  let n = INITIAL_N;
  let delta = 0;
  let bias = INITIAL_BIAS;
  let handled = basic.length;
  while (handled < codes.length) {
    const next = Math.min(...codes.filter((code) => code >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const code of codes) {
      if (code < n) delta++;
      if (code !== n) continue;
      output += variableLength(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled++;
    }
    delta++;
    n++;
  }
  return output;
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

/** a to z, then 0 to 9. */
function digit(value: number): string {
  return String.fromCharCode(value < 26 ? value + 0x61 : value - 26 + 0x30);
}

function digitValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  const lower = isUpperCase(code) ? code + 0x20 : code;
  return lower >= 0x61 && lower <= 0x7a ? lower - 0x61 : BASE;
}

/**
 * The label that a text in Punycode stands for (RFC 3492 §6.2), without a prefix; `null` if the text is not Punycode.
 * Takes quadratic time.
 */
export function decodePunycode(text: string): string | null {
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
