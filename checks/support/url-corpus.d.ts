/** Makes URLs like those that people visit, the same ones each time. */
export declare function makeUrls(count: number): string[];
