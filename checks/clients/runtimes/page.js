import { tryParts } from "./program.js";

tryParts(location.origin, undefined).then(
  (found) => {
    document.body.textContent = JSON.stringify(found);
  },
  (error) => {
    document.body.textContent = String(error);
  },
);
