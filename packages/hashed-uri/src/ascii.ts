/** Lower-cases A–Z and nothing else: `toLowerCase` makes a `k` of the Kelvin sign. */
export function asciiLowerCase(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}
