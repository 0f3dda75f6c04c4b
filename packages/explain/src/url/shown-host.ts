const LONGEST_HOST = 60;

/** A host. A long host is shortened at the start, because its end shows whose it is. */
export function shownHost(host: string): string {
  return host.length <= LONGEST_HOST ? host : `…${host.slice(-LONGEST_HOST)}`;
}
