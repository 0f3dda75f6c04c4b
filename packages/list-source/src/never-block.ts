import type { Expression } from "@x/expressions";

/**
 * Returns the entries that block a whole host: that of the host itself, and those of the hosts with at least two labels
 * above it. A list must not have any of them if the host is never to be blocked.
 *
 * @param host the expression of a host, as `readListSource` reports it for a line of the format `domains`.
 * @example
 * ```ts
 * import { entriesOfHost } from "@x/list-source";
 *
 * entriesOfHost("www.shop.example/"); // → ["www.shop.example/", "shop.example/"]
 * ```
 */
export function entriesOfHost(host: Expression): Expression[] {
  const all = [host];
  const isAddress = /[\d\]]\/$/.test(host);
  while (!isAddress && all.at(-1)!.split(".", 3).length > 2) {
    const last = all.at(-1)!;
    all.push(last.slice(last.indexOf(".") + 1) as Expression);
  }
  return all;
}
