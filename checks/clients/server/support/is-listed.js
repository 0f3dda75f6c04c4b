/** Whether the server at `origin` says in `POST /lookup` that a URL is listed; `null` while it gives no verdict. */
export async function isListed(origin, url) {
  const response = await fetch(`${origin}/lookup`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ urls: [url] }),
  }).catch(() => null);
  return response?.ok ? (await response.json()).verdicts[0].listed : null;
}
