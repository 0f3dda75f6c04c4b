const LONGEST_HOST = 60;

/** Shortens a host at its start, because its end shows whose site it is. */
export function shortHost(host: string): string {
  return host.length <= LONGEST_HOST ? host : `…${host.slice(-LONGEST_HOST)}`;
}
