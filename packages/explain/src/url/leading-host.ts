/**
 * The name of another site at the start of a host, with a suffix that people know as the end of a name. A suffix that
 * is also a common label inside names, such as `net`, `info` or `de`, counts only after `www.`.
 */
const LEADING =
  /^(?:(?:[a-z\d-]+\.)*(?!www\.)[a-z\d-]+\.(?:(?:com?|net|org|ac|gov|edu|gob|gouv)\.[a-z]{2}(?=\.)|(?:com|org|edu|gov)(?=[.-]))|www\.[a-z\d-]+\.(?:[a-z]{2}|net|info|biz)(?=\.))/;

/**
 * Returns the name of another site at the start of a host, as in `www.good.example.com.evil.example`; `null` if there
 * is none. Hosts of content delivery networks also begin in this way, so a leading name alone is not a disguise.
 *
 * @param site the registrable domain of the host.
 */
export function leadingHost(host: string, site: string): string | null {
  // In `good.com-login.example`, people read the first label of the site as part of the leading name.
  const [first] = site.split(".", 1) as [string];
  const start = host.length - site.length;
  const leading = LEADING.exec(host.slice(0, start + first.length))?.[0] ?? null;
  return leading === null || `.${leading}`.endsWith(`.${site}`) ? null : leading;
}
