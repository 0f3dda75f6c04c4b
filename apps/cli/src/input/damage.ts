/** Thrown when compressed input cannot be read. The message says why in one clause. */
export class Damage extends Error {
  override readonly name = "Damage";
}
