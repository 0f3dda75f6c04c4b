const escapeHtml = (text) =>
  text.replace(/[&"<>]/g, (character) => `&#${character.codePointAt(0)};`);

/** A page with a link to each URL. */
export const htmlWithLinks = (urls) =>
  `<!doctype html><html><body>${urls
    .map((url) => `<p><a href="${escapeHtml(url)}">link</a></p>`)
    .join("\n")}</body></html>`;

/** An email whose only part is a text of the type `text/${kind}`. */
export const mailOf = (kind, text) =>
  [
    "From: <sender@mail.test>",
    "To: <reader@mail.test>",
    "Subject: links",
    "Message-ID: <1@mail.test>",
    "Date: Sun, 22 Nov 2026 12:00:00 +0000",
    "MIME-Version: 1.0",
    `Content-Type: text/${kind}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    ...Buffer.from(text)
      .toString("base64")
      .match(/.{1,76}/g),
    "",
  ].join("\r\n");
