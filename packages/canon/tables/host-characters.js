// What becomes of each code point in a host, by UTS #46 as of the newest Unicode: without the STD3 rules, and not transitional.
import unassignedIn15 from "@unicode/unicode-15.0.0/General_Category/Unassigned/code-points.mjs";
import decomposing from "@unicode/unicode-18.0.0/Binary_Property/Expands_On_NFD/code-points.mjs";
import noncharacters from "@unicode/unicode-18.0.0/Binary_Property/Noncharacter_Code_Point/code-points.mjs";
import marks from "@unicode/unicode-18.0.0/General_Category/Mark/code-points.mjs";
import unassigned from "@unicode/unicode-18.0.0/General_Category/Unassigned/code-points.mjs";

/** The statuses in the table of the package tr46. */
const [MAPPED, DISALLOWED, IGNORED] = [1, 3, 7];

const isMark = new Set(marks);

/**
 * For each code point from U+0080, one of these: `"valid"`, `"mark"` (valid, but not at the start of a label), `"ignored"`,
 * `"disallowed"`, `"undecided"`, or an array with the code points that it is mapped to.
 *
 * Undecided are the code points that are not assigned yet, because browsers may drop or map them tomorrow, and those that the
 * oldest platforms do not normalize as the newest do.
 */
export function hostCharacters(mappingTable) {
  const undecided = new Set([...unassigned, ...newlyNormalized()]);
  for (const code of noncharacters) undecided.delete(code);
  const characters = [];
  for (const [range, status, mapping] of mappingTable) {
    const [start, last] = Array.isArray(range) ? range : [range, range];
    for (let code = start; code <= last; code++) {
      if (status === IGNORED) characters[code] = "ignored";
      else if (undecided.has(code)) characters[code] = "undecided";
      else if (status === DISALLOWED) characters[code] = "disallowed";
      else if (status === MAPPED) characters[code] = Array.from(mapping, (c) => c.codePointAt(0));
      else characters[code] = isMark.has(code) ? "mark" : "valid";
    }
  }
  return characters.slice(0x80);
}

/**
 * The code points newer than Unicode 15.0 whose normalization may depend on the platform. No platform that runs this package
 * has an older Unicode, and a newer one never changes the normal form of characters that an older one has. The packages do
 * not say which characters combine, so the result has all that could: new marks, and new characters in the neighbourhood of
 * those that decompose, which belong to the same script.
 */
function newlyNormalized() {
  const isNew = new Set(unassignedIn15);
  const neighbourhood = (code) => code >> 8;
  const decompose = new Set(decomposing.filter((code) => isNew.has(code)).map(neighbourhood));
  return unassignedIn15.filter((code) => isMark.has(code) || decompose.has(neighbourhood(code)));
}
