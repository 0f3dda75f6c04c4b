import type { Reply } from "../http/reply.ts";

const SHIELD = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0a58b5" d="M16 2 4 6v9c0 7 5 12 12 15 7-3 12-8 12-15V6z"/><path fill="none" stroke="#fff" stroke-width="3" d="m10 16 4 4 8-9"/></svg>
`;

/** The icon of the pages, which browsers ask for by themselves. */
export function iconReply(): Reply {
  return {
    route: "icon",
    status: 200,
    body: Buffer.from(SHIELD),
    headers: {
      "Content-Type": "image/svg+xml",
      "Cache-Control": "public, max-age=86400",
      "Content-Security-Policy": "default-src 'none'",
      "X-Content-Type-Options": "nosniff",
    },
  };
}
