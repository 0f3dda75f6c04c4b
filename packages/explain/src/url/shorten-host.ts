const LONGEST_HOST = 60;

/** Shortens a long host at the start, because its end shows whose site it is. */
export function shownHost(host: string): string {
  return host.length <= LONGEST_HOST ? host : `…${host.slice(-LONGEST_HOST)}`;
}
