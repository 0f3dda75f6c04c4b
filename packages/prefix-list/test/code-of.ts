import { PrefixListError, type PrefixListErrorCode } from "@x/prefix-list";
import { expect } from "vitest";

/** The code of the error that a call throws. */
export function codeOf(run: () => unknown): PrefixListErrorCode | "none" {
  try {
    run();
    return "none";
  } catch (error) {
    expect(error).toBeInstanceOf(PrefixListError);
    expect((error as PrefixListError).name).toBe("PrefixListError");
    return (error as PrefixListError).code;
  }
}
