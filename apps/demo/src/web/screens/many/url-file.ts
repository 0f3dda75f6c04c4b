/** A file of URLs, one a line. */
export interface UrlFile {
  readonly name: string;
  readonly octets: Uint8Array;
}
