/**
 * Signs that a text contains a URL in base64 or in hexadecimal. Each string has the characters that are possible at one
 * place. All signs have at least three places.
 */
export const ENCODED_MARKS: readonly (readonly string[])[] = [
  // `http` in letters of any case, after 0, 1 and 2 other bytes of a group
  ["aS", "HF", "R", "0U"],
  ["h", "0U", "dV", "HF"],
  ["oI", "dV", "HF", "R"],
  // `{"`, and an escape of ASCII
  ["e", "y", "J"],
  ["J", "T", "IJKLMNOPQRSTUVWXYZabcd"],
  // `http`, `{"` and an escape in base64 twice
  ["Y", "U", "hZ", "S"],
  ["U", "0", "hZ", "S"],
  ["Z", "X", "l", "K"],
  ["S", "l", "QRST"],
  // two slashes or backslashes and the start of a host
  ["L", "y", "89"],
  ["L", "1", "wxyz"],
  ["X", "C", "89"],
  ["X", "F", "wxyz"],
  // `http` in hexadecimal
  ["64", "8", "75", "4", "75", "4", "75", "0"],
];
