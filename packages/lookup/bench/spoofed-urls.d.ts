export function randomNumbers(seed: number): () => number;
export function spoofedUrl(random: () => number): string;
