export { type InMemoryOptions, type InMemoryServer, serveInMemory } from "./serve-in-memory.ts";
