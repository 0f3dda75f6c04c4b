import type { Operation } from "../open-api/operation.ts";

const NAME = { name: "name", in: "path", required: true, schema: { type: "string" } };
const description =
  "Programs that can send neither headers nor parameters may send the API key as the password of HTTP Basic authentication.";
const STILL_GOOD = { 304: ["What the client has is still good", {}] } as const;

/** The files that lists are exported to, as OpenAPI describes them. */
export const EXPORT_OPERATIONS: readonly Operation[] = [
  {
    id: "export.gdb",
    path: "/export/{name}.gdb",
    method: "get",
    summary: "A list as a database of ClamAV",
    description,
    takesKey: true,
    parameters: [NAME],
    answers: { 200: ["The database", { "text/plain": null }], ...STILL_GOOD },
  },
  {
    id: "export.rpz",
    path: "/export/{name}.rpz",
    method: "get",
    summary: "The whole hosts of a private list as a response policy zone for resolvers",
    description,
    takesKey: true,
    parameters: [NAME],
    answers: { 200: ["The zone", { "text/dns": null }], ...STILL_GOOD },
  },
];
