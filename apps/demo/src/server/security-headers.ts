/** The content security policy of the page. It works with and without WebAssembly. */
export function contentSecurityPolicy(allowsWebAssembly: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self'${allowsWebAssembly ? " 'wasm-unsafe-eval'" : ""}`,
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Only the Trusted Types policy with this name can turn text into the URL of a script.
    "require-trusted-types-for 'script'",
    "trusted-types urlhash",
  ].join("; ");
}

/** The headers of every response. A worker follows the policy in the response that has its script. */
export function securityHeaders(allowsWebAssembly: boolean): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(allowsWebAssembly),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy":
      "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  };
}

/** The part of the page's own policy that permits WebAssembly. */
const WEBASSEMBLY_SOURCE = " 'wasm-unsafe-eval'";

/**
 * Removes the permission to use WebAssembly from the policy in the page. The page reads that policy to find out whether
 * it may use WebAssembly, because it cannot read the one in the header.
 */
export function forbidWebAssembly(path: string, body: Uint8Array): Uint8Array {
  if (path !== "/index.html") return body;
  const page = new TextDecoder().decode(body);
  return new TextEncoder().encode(page.replace(WEBASSEMBLY_SOURCE, ""));
}
