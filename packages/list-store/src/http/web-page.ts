const START = /^\s*<(?:!doctype\s+html|html|head|body)[\s>]/i;
const START_BYTES = 256;

/** Whether a file is a web page, which no file of a store is. Hosts send pages for missing files, with status 200. */
export function isWebPage(bytes: Uint8Array): boolean {
  return START.test(new TextDecoder().decode(bytes.subarray(0, START_BYTES)));
}
