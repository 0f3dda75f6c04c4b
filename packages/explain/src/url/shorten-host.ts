const LONGEST_HOST = 60;

/**
 * Shortens a host for display. If it has more than 60 characters, only the last 60 are kept, after `…`, because the end
 * of a host shows whose site it is.
 */
export function shortHost(host: string): string {
  return host.length <= LONGEST_HOST ? host : `…${host.slice(-LONGEST_HOST)}`;
}
