import type { CanonicalUrl } from "@x/canon";

/**
 * The suffix/prefix expressions of a URL, written from the specification alone. Every host is joined with every path,
 * piece by piece, and duplicates are removed at the end.
 */
export function oracle(
  url: CanonicalUrl,
  registrableDomain?: (host: string) => string | null,
): string[] {
  const labels = url.host.split(".");
  const hosts = [url.host];
  if (url.hostType === "domain" && !url.host.startsWith("[")) {
    if (registrableDomain === undefined) {
      for (const count of [5, 4, 3, 2]) {
        if (count < labels.length) hosts.push(labels.slice(-count).join("."));
      }
    } else {
      const registrable = registrableDomain(url.host);
      if (registrable !== null) {
        const fewest = registrable.split(".").length;
        for (const count of [fewest + 3, fewest + 2, fewest + 1, fewest]) {
          if (count < labels.length) hosts.push(labels.slice(-count).join("."));
        }
      }
    }
  }

  const paths: string[] = [];
  if (url.query !== null && url.query !== "") paths.push(`${url.path}?${url.query}`);
  paths.push(url.path);
  const components = url.path.split("/").slice(1, -1);
  for (let count = 0; count < 4 && count <= components.length; count++) {
    paths.push(["", ...components.slice(0, count), ""].join("/"));
  }

  const expressions: string[] = [];
  for (const host of hosts) {
    for (const path of paths) {
      if (!expressions.includes(host + path)) expressions.push(host + path);
    }
  }
  return expressions;
}
