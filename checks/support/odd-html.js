/** Documents with odd markup, for comparing the links that are found in HTML with those of a parser or browser. */

/** A sequence of numbers from 0 to 1 that is the same in every run (mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes a document from a seed. Each URL in it occurs once, and none is a redirect of the page. */
export function oddHtml(seed) {
  const random = randomNumbers(seed);
  const pick = (from) => from[Math.floor(random() * from.length)];
  const chance = (of) => random() < of;
  let count = 0;

  const url = () => {
    const n = `${seed}-${count++}`;
    return pick([
      `http://h${n}.test/`,
      `http://h${n}.test/a?b=1&amp;c=${n}`,
      `http://h${n}.test/?a=1&copy=${n}&not;x`,
      `&#104;ttp://h${n}.test/`,
      `&#x68ttp&colon;//h${n}.test/`,
      `HTTP://H${n}.test/`,
      `http:\\\\h${n}.test\\x`,
      `//h${n}.test/x`,
      `\\/h${n}.test/x`,
      `r${n}.html`,
      `/abs${n}`,
      `?q${n}`,
      `../up${n}`,
      `#f${n}`,
      `ht\ntp://h${n}.test/`,
      ` http://h${n}.test/ `,
      `http://h${n}.test/a'b`,
      `http:r${n}`,
    ]);
  };
  const plainUrl = () => `http://h${seed}-${count++}.test/${pick(["", "a", "a_b", "a,b"])}`;
  const value = (text) => {
    const isUnquoted = !/[\s"'=<>`]/.test(text) && chance(0.4);
    if (isUnquoted) return `=${pick(["", " "])}${text}${pick([" ", "\n", " "])}`;
    const quote = text.includes("'") ? '"' : pick(['"', "'"]);
    return `${pick(["=", " = ", "=\n"])}${quote}${text}${quote}${pick(["", " ", "\t"])}`;
  };
  const name = (text) => (chance(0.2) ? text.toUpperCase() : text);
  const junk = () => pick(["", "", "", " x", " /", " a=b", ' "', " '=", " ID=i ", " <", "/"]);
  const tag = (element, attributes) => {
    const written = Object.entries(attributes).map(([key, text]) => `${name(key)}${value(text)}`);
    if (chance(0.1)) written.push(`${Object.keys(attributes)[0]}="http://ignored.test/"`);
    return `<${name(element)}${junk()} ${written.join(pick([" ", " "]))}${pick(["", "", "/"])}>`;
  };
  const word = () =>
    pick(["text", "a &amp; b", "x < y", "&lt;b&gt;", "]]>", "-->", "'", '"', "\0"]);

  const leaf = () =>
    pick([
      () => `${tag("a", { href: url() })}${word()}</a>`,
      () => tag("a", { class: "x", href: url() }),
      () => tag("area", { href: url() }),
      () => tag(pick(["a", "area"]), { href: pick(["", " "]) }),
      () => `<a href>${word()}</a>`,
      () => tag("img", { src: url() }),
      () => tag("img", { srcset: `${plainUrl()} 1x, ${plainUrl()} 2x` }),
      () => tag("img", { srcset: `${plainUrl()},${pick(["", " "])}${plainUrl()} 2x`, src: url() }),
      () => tag("link", { rel: "icon", href: url() }),
      () => tag("input", { type: "image", src: url() }),
      () =>
        `${tag("form", { action: url() })}${tag("button", { formaction: url() })}x</button></form>`,
      () => `${tag("video", { poster: url() })}${tag("source", { src: url() })}</video>`,
      () => tag("div", { style: `background: url(${plainUrl()})` }),
      () => tag("p", { style: `background-image:URL( '${plainUrl()}' )` }),
      () => tag("body", { background: url() }),
      () =>
        `<style>b{background:url("${plainUrl()}")}${pick(["", "<!--", "<b>", "</styl>"])}</style>`,
      () => `<svg>${tag("a", { "xlink:href": url() })}</a>${tag("image", { href: url() })}</svg>`,
      () => `<svg><style>${tag("a", { href: url() })}</style></svg>`,
      () => `<svg><title>${tag("a", { href: url() })}x</a></title>`,
      () => `<svg><![CDATA[${tag("a", { href: url() })}]]></svg>`,
      () => `<math><mi>${tag("a", { href: url() })}x</a></mi></math>`,
      () => `<template>${tag("a", { href: url() })}x</a></template>`,
      () => `<table>${tag("a", { href: url() })}x<tr><td>${tag("a", { href: url() })}</table>`,
      () => `<select><option>${tag("a", { href: url() })}x</select>`,
      () => word(),
      () =>
        `${pick([
          "<!>",
          "<?php echo ?>",
          "</>",
          "</ x>",
          "<!x",
          "<3",
          "<",
          "</p>",
          "<p",
          "<!doctype x>",
        ])}>`,
    ])();
  /** A context in which markup is not parsed as markup, perhaps with a wrong end. */
  const hidden = (inside) =>
    pick([
      () => `<!--${inside}-->`,
      () => `<!-->${inside}<!-- -->`,
      () => `<!--->${inside}<!-- --!>`,
      () => `<!-- -- ${inside} --!>`,
      () => `<!-- <!-- ${inside} --> ${leaf()} -->`,
      () => `<title>${inside}</title>`,
      () => `<textarea>${inside}</textarea\n>`,
      () => `<xmp>${inside}</xmp>`,
      () => `<noscript>${inside}</noscript>`,
      () => `<noscript><!--</noscript>${inside}-->`,
      () => `<noembed>${inside}</noembed >`,
      () => `<style>/*${inside}*/</style>`,
      () => `<script type=x>${inside}</script>`,
      () => `<script type=x><!--<script>${inside}</script>--></script>`,
    ])();
  const block = (depth) => {
    const inside = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      depth > 0 && chance(0.4) ? block(depth - 1) : leaf(),
    ).join(pick(["", " ", "\n"]));
    if (chance(0.3)) return hidden(inside);
    const element = pick(["div", "p", "b", "ul", "table", "svg", "foreignObject", "span", "nobr"]);
    return `<${element}>${inside}${chance(0.7) ? `</${element}>` : ""}`;
  };
  const oneBase = () =>
    tag("base", { href: pick(["http://base.test/d/", "http://other.test/", "/d/", "d/"]) });
  const base = pick([
    () => oneBase(),
    () => `<noscript>${oneBase()}</noscript>${pick(["", oneBase()])}`,
    () => `<noscript><!--</noscript>${oneBase()}-->${pick(["", "</noscript>"])}${oneBase()}`,
    ...Array.from({ length: 5 }, () => () => ""),
  ])();
  const blocks = Array.from({ length: 2 + Math.floor(random() * 4) }, () => block(2));
  const last = chance(0.05) ? `<plaintext>${leaf()}` : "";
  return `${pick(["<!doctype html>", ""])}${base}${blocks.join("\n")}${last}`;
}
