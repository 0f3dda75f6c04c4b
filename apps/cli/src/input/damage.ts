/** Thrown when compressed input cannot be read. The message gives the reason in one clause. */
export class Damage extends Error {
  override readonly name = "Damage";
}
