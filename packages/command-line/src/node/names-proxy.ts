/** Whether the environment names a proxy. If it does not, programs need not load `@x/command-line/proxy`. */
export function namesProxy(env: Readonly<Record<string, string | undefined>>): boolean {
  const names = ["http_proxy", "https_proxy", "all_proxy"];
  return names.some((name) => env[name] || env[name.toUpperCase()]);
}
