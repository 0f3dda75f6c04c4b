/** What the page may do. WebAssembly is all that a page can be denied and still do its work. */
export function contentSecurityPolicy(allowsWebAssembly: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self'${allowsWebAssembly ? " 'wasm-unsafe-eval'" : ""}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Text becomes markup or a script in no other way than the page's own policy of this name.
    "require-trusted-types-for 'script'",
    "trusted-types urlhash",
  ].join("; ");
}

/** The headers of every answer. Workers have a policy of their own: that of their script. */
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
