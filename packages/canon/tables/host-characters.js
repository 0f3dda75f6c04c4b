// The UTS #46 mapping of each code point in a host, as of the newest Unicode version, nontransitional and without the
// STD3 rules.
import unassignedIn15 from "@unicode/unicode-15.0.0/General_Category/Unassigned/code-points.mjs";
import decomposing from "@unicode/unicode-18.0.0/Binary_Property/Expands_On_NFD/code-points.mjs";
import noncharacters from "@unicode/unicode-18.0.0/Binary_Property/Noncharacter_Code_Point/code-points.mjs";
import marks from "@unicode/unicode-18.0.0/General_Category/Mark/code-points.mjs";
import unassigned from "@unicode/unicode-18.0.0/General_Category/Unassigned/code-points.mjs";

/** The statuses in the table of the package tr46. */
const [MAPPED, DISALLOWED, IGNORED] = [1, 3, 7];

const isMark = new Set(marks);

/**
 * For each code point from U+0080, one of these: `"valid"`, `"mark"` (valid, but not at the start of a label),
 * `"ignored"`, `"disallowed"`, `"undecided"`, or an array with the code points that it is mapped to.
 *
 * A code point is undecided if it is not assigned yet, because browsers may later drop or map it, or if the oldest
 * platforms normalize it differently from the newest.
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
 * The code points newer than Unicode 15.0 whose normalization may depend on the platform. No platform that runs this
 * package has an older version of Unicode, and newer versions never change the normal form of existing characters. The
 * Unicode data used here does not say which characters combine, so the result includes all that could: new marks, and
 * new characters in the same block of 256 code points as a new character that decomposes.
 */
function newlyNormalized() {
  const isNew = new Set(unassignedIn15);
  const neighbourhood = (code) => code >> 8;
  const decompose = new Set(decomposing.filter((code) => isNew.has(code)).map(neighbourhood));
  return unassignedIn15.filter((code) => isMark.has(code) || decompose.has(neighbourhood(code)));
}
