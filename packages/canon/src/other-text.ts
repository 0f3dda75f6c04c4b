export { hasTabInside, holdsSeveralUrls, isBase64Hash, isHexHash } from "./not-a-url.ts";
