// Writes out the 64 rounds of SHA-256 in TypeScript.

/** The names of the working variables before the first round (FIPS 180-4 §6.2.2 step 2). */
const STATE = "abcdefgh";
const WORDS = 16;

const xor = (x, ...turns) =>
  turns.map((turn) => `(${x} >>> ${turn} | ${x} << ${32 - turn})`).join(" ^ ");
const word = (i) => `w${i % WORDS}`;

/** The next word of the message schedule, which replaces the word 16 before it (FIPS 180-4 §6.2.2 step 1). */
function nextWord(i) {
  const [before16, before15, before7, before2] = [i, i + 1, i + 9, i + 14].map(word);
  const sigma0 = `(${xor(before15, 7, 18)} ^ ${before15} >>> 3)`;
  const sigma1 = `(${xor(before2, 17, 19)} ^ ${before2} >>> 10)`;
  return `  ${before16} = (${before16} + ${sigma0} + ${before7} + ${sigma1}) | 0;`;
}

/** One round (§6.2.2 step 3). Each round renames the words instead of moving them. */
function round(i, constant) {
  const [a, b, , d, e, f, g, h] = Array.from(STATE, (_, j) => STATE[(j + 64 - i) % 8]);
  const temp1 = `(${xor(e, 6, 11, 25)}) + (${g} ^ (${e} & (${f} ^ ${g}))) + ${h} + ${constant} + ${word(i)}`;
  // Maj is c where a and b differ, otherwise b. This round's a ^ b is the next round's b ^ c.
  const [ab, bc] = i % 2 === 0 ? ["even", "odd"] : ["odd", "even"];
  return `  t = (${temp1}) | 0;
  ${ab} = ${a} ^ ${b};
  ${d} = (${d} + t) | 0;
  ${h} = (t + (${xor(a, 2, 13, 22)}) + (${b} ^ (${ab} & ${bc}))) | 0;`;
}

/** The source of a module with a function that compresses a block, given the round constants (§4.2.2). */
export function compressSource(constants) {
  const lines = [];
  for (let i = 0; i < WORDS; i++) lines.push(`  let ${word(i)} = bytes.getInt32(at + ${4 * i});`);
  for (const [i, name] of [...STATE].entries()) lines.push(`  let ${name} = state[${i}]!;`);
  lines.push("  let t: number;", "  let even: number;", "  let odd = b ^ c;");
  for (const [i, constant] of constants.entries()) {
    if (i >= WORDS) lines.push(nextWord(i));
    lines.push(round(i, constant));
  }
  for (const [i, name] of [...STATE].entries()) lines.push(`  state[${i}]! += ${name};`);
  return `// Written by kernel/compress.js.
/** Adds one block, the 64 bytes from index \`at\`, to the hash value \`state\` (FIPS 180-4 §6.2.2). */
export function compress(state: Int32Array, bytes: DataView, at: number): void {
${lines.join("\n")}
}
`;
}
