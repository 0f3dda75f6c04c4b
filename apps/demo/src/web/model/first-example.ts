/** The URL of the example that the page shows at the start. */
export const FIRST_EXAMPLE: string =
  "HTTP://login.AZUKISHOP.live\\@www.wikipedia.org:80/wiki/%2555RL#top";
