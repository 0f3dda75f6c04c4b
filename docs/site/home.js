// The start page of the site: the README, with its sections in the order in which a newcomer to the site needs them.

function takeFrom(sections, title) {
  const index = sections.findIndex((section) => section.startsWith(`## ${title}\n`));
  if (index < 0) throw new Error(`The README has no section "${title}".`);
  return sections.splice(index, 1)[0];
}

/**
 * The title, and the rest as Markdown, in which the tagline, the audience, the installation and a few lines of code
 * come first.
 */
export function homeOf(readme) {
  const [start, ...others] = readme.split(/^(?=## )/m);
  const [, title, tagline] = /^# ([^\n]+)\n\n(.+)/s.exec(start);
  const [, install, packages] = /^(.+?\n\n)(\|.+)/s.exec(takeFrom(others, "Install"));
  const first = [takeFrom(others, "For whom"), install, takeFrom(others, "In five lines")];
  const rest = [`## Packages\n\n${packages}`, ...others];
  return { title, markdown: `${tagline}${[...first, ...rest].join("")}` };
}

/** Turns each item of the list of audiences into a card. */
export function withCards(html) {
  return html.replace(
    /(<h2 id="for-whom".*?)<ul>(.*?)<\/ul>/s,
    (_, before, items) =>
      `${before}<ul class="cards">${items.replaceAll("</strong>: ", "</strong> ")}</ul>`,
  );
}
