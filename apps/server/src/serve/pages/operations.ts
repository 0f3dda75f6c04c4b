import type { Operation } from "../open-api/operation.ts";

/* The OpenAPI operations of the pages. */

export const STATUS: Operation = {
  id: "status",
  summary: "A page for people: lists, ages, who runs the server, settings for Firefox",
  answers: { 200: ["The page", { "text/html": null }] },
};

export const BLOCKED: Operation = {
  id: "blocked",
  summary: "A page for people who were blocked: the lists, who runs them, how to object",
  answers: { 200: ["The page", { "text/html": null }] },
};

export const BLOCKED_BY: Operation = {
  id: "blocked.list",
  summary: "The same page about one list",
  parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
  answers: { 200: ["The page", { "text/html": null }] },
};

export const LISTED_SINCE: Operation = {
  id: "blocked.since",
  summary: "A page about an address that was blocked: which entries of which lists, and since when",
  body: {
    "application/x-www-form-urlencoded": {
      type: "object",
      required: ["url"],
      properties: { url: { type: "string" } },
    },
  },
  answers: { 200: ["The page", { "text/html": null }] },
};

export const ICON: Operation = {
  id: "icon",
  summary: "The icon of the pages",
  answers: { 200: ["The icon", { "image/svg+xml": null }] },
};

export const HEALTH: Operation = {
  id: "healthz",
  summary: "Whether the process answers",
  answers: { 200: ["The process answers", { "text/plain": null }] },
};

export const READINESS: Operation = {
  id: "readyz",
  summary:
    "Whether the newest version of every list that is not optional is verified, not expired, and served",
  answers: {
    200: [
      "All these lists are ready; further lines are problems of optional lists",
      { "text/plain": null },
    ],
    503: ["A list is not ready, and why", { "text/plain": null }],
  },
};

export const METRICS: Operation = {
  id: "metrics",
  summary: "Metrics for Prometheus",
  answers: { 200: ["The metrics", { "text/plain": null }] },
};

export const OPEN_API: Operation = {
  id: "openapi",
  summary: "The OpenAPI document of this server",
  answers: { 200: ["The document", { "application/json": { type: "object" } }] },
};
