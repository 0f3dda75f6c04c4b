/**
 * Signs that a text contains a URL in base64 or in hexadecimal. Each string has the characters that are possible at one
 * place. All signs have at least three places.
 * `lookAtUrl` has room for 14.
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
  ["YU", "U0", "hZ", "S"],
  ["Z", "X", "l", "K"],
  ["S", "l", "QRST"],
  // the same in base64 three times and more, which all begins alike
  ["UV", "12", "xZ"],
  ["VW", "TVjl", "BFJNRSVh"],
  ["V", "m", "01px"],
  // two slashes or backslashes and the start of a host
  ["LX", "yC", "89"],
  ["LX", "1F", "wxyz"],
  // `http` in hexadecimal
  ["64", "8", "75", "4", "75", "4", "75", "0"],
];
