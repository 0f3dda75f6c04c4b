// SQL as people write it after they have read the specification's page on expressions.

/** The expressions of `url`. */
const PARTS = `
  SELECT n, string_split(host, '.') AS labels, host, path, query,
    string_split(path, '/')[2:-2] AS folders
  FROM (
    SELECT n,
      lower(regexp_extract(url, '^[a-zA-Z]+://([^/?#:]+)', 1)) AS host,
      coalesce(nullif(regexp_extract(url, '^[a-zA-Z]+://[^/?#]+(/[^?#]*)', 1), ''), '/') AS path,
      regexp_extract(url, '\\?[^#]*', 0) AS query
    FROM urls
  )`;
const EXPRESSIONS = `
  SELECT n, unnest(list_distinct(flatten([
    [h || p for p in [path || query, path, '/'] ||
      ['/' || array_to_string(folders[1:k], '/') || '/' for k in range(1, least(3, len(folders)) + 1)]]
    for h in [host] ||
      [array_to_string(labels[-k:], '.') for k in range(2, least(5, len(labels) - 1) + 1)]
  ]))) AS expression
  FROM (${PARTS})`;

/** A row for each URL in order: whether one of its expressions is on the list. */
const joined = (condition) => `
  SELECT found.n IS NOT NULL AS listed
  FROM urls LEFT JOIN (
    SELECT DISTINCT n FROM (${EXPRESSIONS}) AS made JOIN entries ON ${condition}
  ) AS found USING (n)
  ORDER BY urls.n`;

export const BY_TEXT = joined("entries.expression = made.expression");
export const BY_HASH = joined("entries.prefix = left(sha256(made.expression), 16)");
