const OWN_DEVICE = /^(?:(?:.+\.)?localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;
const OWN_NETWORK =
  /^(?:10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+|\[f(?:e[89ab]|[cd][\da-f])[\da-f]:.*|.+\.local)$/;

/** What a canonical host of the reader's own device or network is, in words; `null` for all others. */
export function localPlace(host: string): string | null {
  if (OWN_DEVICE.test(host)) return "your own device";
  return OWN_NETWORK.test(host) ? "a device in your own network" : null;
}
