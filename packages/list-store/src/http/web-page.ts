const START = /^\s*<(?:!doctype\s+html|html|head|body)[\s>]/i;
const START_BYTES = 256;

/**
 * Whether a file is a web page. No file of a store is one, but some hosts send a page with status 200 for missing
 * files.
 */
export function isWebPage(bytes: Uint8Array): boolean {
  return START.test(new TextDecoder().decode(bytes.subarray(0, START_BYTES)));
}
