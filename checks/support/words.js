/**
 * The words of a text between blanks and line ends: a table that is shorter than an array of strings.
 *
 * @param {string} text
 * @returns {string[]}
 */
export const words = (text) => text.split(/[ \n]+/).filter((word) => word !== "");
