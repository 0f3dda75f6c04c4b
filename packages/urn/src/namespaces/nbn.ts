import { type Condition, isLetters, isLettersAndDigits } from "./conditions.ts";

export const NBN: readonly Condition[] = [
  {
    code: "nbn-form",
    expected:
      "a two-letter country code, optional subdivisions of letters and digits after colons, then a hyphen and a name",
    section: "RFC 8458 §4.2",
    holds: (nss) => {
      const hyphen = nss.indexOf("-");
      const [country = "", ...codes] = nss.slice(0, Math.max(0, hyphen)).split(":");
      const name = nss.slice(hyphen + 1);
      return (
        country.length === 2 &&
        isLetters(country) &&
        codes.every(isLettersAndDigits) &&
        name !== "" &&
        !name.startsWith("/")
      );
    },
  },
];
