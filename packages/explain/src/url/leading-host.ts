/**
 * A host of another site at the start of a host, with a suffix that people know as the end of a name. A suffix that is
 * also a common label inside names, such as `net`, `info` or `de`, counts only after `www.`.
 */
const LEADING =
  /^(?:(?:[a-z\d-]+\.)*(?!www\.)[a-z\d-]+\.(?:(?:com?|net|org|ac|gov|edu|gob|gouv)\.[a-z]{2}(?=\.)|(?:com|org|edu|gov)(?=[.-]))|www\.[a-z\d-]+\.(?:[a-z]{2}|net|info|biz)(?=\.))/;

/**
 * Returns the name of another site at the start of a host, as in `www.good.example.com.evil.example`; `null` if there
 * is none. Content delivery networks use such names, too, so the result alone is no disguise.
 *
 * @param site the registrable domain of the host.
 */
export function leadingHost(host: string, site: string): string | null {
  // In `good.com-login.example`, the first label of the site is a part of what people read.
  const [first] = site.split(".", 1) as [string];
  const start = host.length - site.length;
  const leading = LEADING.exec(host.slice(0, start + first.length))?.[0] ?? null;
  return leading === null || `.${leading}`.endsWith(`.${site}`) ? null : leading;
}
