import {
  ERROR_SCHEMA,
  type JsonSchema,
  type Operation,
  type PlacedOperation,
} from "./operation.ts";

const DESCRIPTION = `Lists of URLs over Safe Browsing v5 and v4 and Web Risk v1, look-ups of URLs, and lists as files for other programs.

Methods of the protocols can also be sent in the forms of browsers: a POST as a GET with the header
X-HTTP-Method-Override or the parameter $httpMethod, and a whole message in the parameter $req.
HEAD is answered wherever GET is.`;

/** The ways to send an API key. The empty object means that the key is optional. */
const SECURITY = [{}, { keyHeader: [] }, { keyParameter: [] }];

function contentOf(content: Readonly<Record<string, JsonSchema | null>>): JsonSchema {
  const types = Object.entries(content).map(([type, schema]) => [
    type,
    schema === null ? {} : { schema },
  ]);
  return types.length === 0 ? {} : { content: Object.fromEntries(types) };
}

function operationObject(operation: Operation): JsonSchema {
  const { id, summary, description, takesKey, parameters, body, answers } = operation;
  const responses = Object.entries(answers).map(([status, [meaning, content]]) => [
    status,
    { description: meaning, ...contentOf(content) },
  ]);
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, ...contentOf(body) } }),
    responses: {
      ...Object.fromEntries(responses),
      default: { $ref: "#/components/responses/Error" },
    },
    ...(takesKey && { security: SECURITY }),
  };
}

/** Describes these routes, in this order, in an OpenAPI 3.1 document. */
export function openApiDocument(routes: readonly PlacedOperation[]): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const { method, path, operation } of routes) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "urlhash-server", version: "1", description: DESCRIPTION },
    servers: [{ url: "/" }],
    paths,
    components: {
      responses: {
        Error: {
          description: "The error",
          content: { "application/json": { schema: ERROR_SCHEMA } },
        },
      },
      securitySchemes: {
        keyHeader: { type: "apiKey", in: "header", name: "X-Goog-Api-Key" },
        keyParameter: { type: "apiKey", in: "query", name: "key" },
      },
    },
  };
}
