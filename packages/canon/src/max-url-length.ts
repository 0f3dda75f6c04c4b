/**
 * The longest URL or URI that is taken: UTF-16 code units of a text, octets of octets.
 *
 * No text asks for it. It is far above any URL in use, and below what would end the process: V8
 * aborts, instead of throwing, where a text of 2²⁵ pieces is split or replaced piece by piece.
 */
export const MAX_URL_LENGTH: number = 2 ** 24;
