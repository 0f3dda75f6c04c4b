/**
 * Many hash prefixes of one length in one piece of memory: what ten million of them should be handed over
 * in, instead of ten million `Uint8Array`s. The names are those of the Update API's own message.
 *
 * @see Safe Browsing v4, Update API, `RawHashes`
 */
export interface RawHashes {
  /** The octets of each prefix, 4 to 32. */
  readonly prefixSize: number;
  /** The prefixes, one after the other; its length is a multiple of `prefixSize`. */
  readonly rawHashes: Uint8Array;
}
