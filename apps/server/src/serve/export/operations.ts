import type { Operation } from "../open-api/operation.ts";

const NAME = { name: "name", in: "path", required: true, schema: { type: "string" } };
const description =
  "Programs that can send the API key neither in X-Goog-Api-Key nor as a parameter may send it as the password of HTTP Basic authentication.";
const STILL_GOOD = { 304: ["The client's copy is still current", {}] } as const;

export const CLAMAV_DATABASE: Operation = {
  id: "export.gdb",
  summary: "A list as a ClamAV database",
  description,
  takesKey: true,
  parameters: [NAME],
  answers: { 200: ["The database", { "text/plain": null }], ...STILL_GOOD },
};

export const RESPONSE_POLICY_ZONE: Operation = {
  id: "export.rpz",
  summary:
    "The entries of a private list that block whole hosts, as a response policy zone for resolvers",
  description,
  takesKey: true,
  parameters: [NAME],
  answers: { 200: ["The zone", { "text/dns": null }], ...STILL_GOOD },
};
