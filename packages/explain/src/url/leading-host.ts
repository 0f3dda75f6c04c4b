/**
 * A host of another site at the start of a host. Its suffix is one that people know as the end of a name. A suffix that
 * is also a usual label inside names, such as `net`, `info` or `de`, counts only after `www.`.
 */
const LEADING =
  /^(?:(?:[a-z\d-]+\.)*(?!www\.)[a-z\d-]+\.(?:(?:com?|net|org|ac|gov|edu|gob|gouv)\.[a-z]{2}(?=\.)|(?:com|org|edu|gov)(?=[.-]))|www\.[a-z\d-]+\.(?:[a-z]{2}|net|info|biz)(?=\.))/;

/**
 * What a host begins with if that is the name of another site, as in `www.good.example.com.evil.example`: anything can
 * stand before the registrable domain. Content delivery networks use such names, too, so this alone is no disguise.
 * `null` for other hosts.
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
