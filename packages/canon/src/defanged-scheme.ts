const ANY = "[a-z0-9*_#~?!$%@+-]";
/**
 * Matches a defanged or misspelt `http` or `https`, but no scheme that is in use, such as `http`, `https`, Secure HTTP
 * (RFC 2660), HTTP over UDP or HFTP.
 */
const DEFANGED_HTTP = new RegExp(
  `^(?!(?:https?|shttp|httpu|hs?ftp)$)(?:${ANY}?h[tx*_#~?!$%@+z7-]{1,3}p{1,2}|h(?:${ANY}tp|t${ANY}p|tt${ANY}?|t?${ANY}ttp|tt${ANY}p|p{1,2}t{1,2}|tpt)|thtp|tthp|${ANY}?ttp{1,2}|t?p|xx{1,3}p|meow)s{0,2}${ANY}?$`,
  "i",
);
const DEFANGED_FTP = /^(?!ftp$)f[tx*_#~?!$%@+-]{1,2}p{1,2}x?$/i;

/** The scheme that a defanged or misspelt one stands for, as `https` for `hxxps`, or `null` if it is neither. */
export function httpOrFtp(scheme: string): "http" | "https" | "ftp" | null {
  if (DEFANGED_HTTP.test(scheme)) return /s/i.test(scheme) ? "https" : "http";
  return DEFANGED_FTP.test(scheme) ? "ftp" : null;
}

/** Whether the scheme of a URL is a defanged or misspelt one, as in `hxxp://evil.example/`. */
export function hasDefangedScheme(url: string): boolean {
  const scheme = /^[\0- ]*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  return scheme !== undefined && httpOrFtp(scheme) !== null;
}
