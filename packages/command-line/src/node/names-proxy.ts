/**
 * Whether the environment names a proxy, so that `@x/command-line/proxy` is needed. Without one, its modules need not be
 * loaded.
 */
export function namesProxy(env: Readonly<Record<string, string | undefined>>): boolean {
  const names = ["http_proxy", "https_proxy", "all_proxy"];
  return names.some((name) => env[name] || env[name.toUpperCase()]);
}
