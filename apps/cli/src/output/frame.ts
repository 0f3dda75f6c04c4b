/**
 * The text around and between records. This text never depends on the next record, so each result can be written at
 * once.
 */
export interface Frame {
  readonly beforeFirst: string;
  readonly beforeOthers: string;
  readonly after: string;
  readonly end: string;
  readonly endOfNone: string;
}
