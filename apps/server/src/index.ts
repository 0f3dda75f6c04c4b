export { firefoxSettings } from "./serve/pages/firefox-settings.ts";
export { type InMemoryOptions, type InMemoryServer, serveInMemory } from "./serve-in-memory.ts";
