/** An error that ends a command with one line for the person who ran it. */
export class Failure extends Error {
  override readonly name = "Failure";
}
