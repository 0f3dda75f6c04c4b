import type { RegistrableDomain } from "@x/expressions";
import { leadingHost } from "./leading-host.ts";

/** Functions that tell whose site a host is. */
export interface SiteOptions {
  /** Returns the registrable domain of a host, by the Public Suffix List. */
  readonly registrableDomain?: RegistrableDomain | undefined;
  /**
   * Returns the domain of a service below which anyone can publish, such as `github.io` for `a.github.io`; `null` for
   * other hosts. With the Public Suffix List, this is the registrable domain by the ICANN section, if the private
   * section gives another one.
   */
  readonly sharedDomain?: RegistrableDomain | undefined;
}

/** The domain that shows whose site a host is, which is usually the registrable domain; `null` if that is not known. */
export function siteOf(host: string, options: SiteOptions): string | null {
  const site = options.registrableDomain?.(host) ?? null;
  const shared = options.sharedDomain?.(host) ?? null;
  if (site === null || shared === null || leadingHost(host, site) !== null) return site;
  // In `www.good.example.com.s3.amazonaws.com`, the label before the service is a part of another name.
  return leadingHost(host, shared) === null ? site : shared;
}
