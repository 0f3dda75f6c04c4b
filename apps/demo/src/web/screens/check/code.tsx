import type { UrlExplanation } from "@x/explain";
import { isPlain, printableJson, UNSAFE_CHARACTERS } from "@x/explain/printable";
import type { VNode } from "preact";
import type { PageSettings } from "../../../page-settings.ts";
import { CopyButton } from "../../components/buttons.tsx";
import { Shortened } from "../../components/data.tsx";
import { Panel } from "../../components/panels.tsx";
import { listFileName, type PageList } from "../../model/page-list.ts";
import { SaveList } from "../list-panel.tsx";

interface CodeProps {
  readonly input: string;
  readonly explained: UrlExplanation;
  /** The list that the code uses, if there is one. */
  readonly list: PageList | undefined;
  readonly documents: PageSettings["documents"];
}

const JSON_TITLE = "The answer as JSON";
const INSTALL = `# in a clone of the repository:
npm run pack -- ../your-project
# in your project, with Node 20.19 or newer:
npm install ./packed/*.tgz`;

/** A text as one word of a shell. Characters that a terminal could obey when the command is pasted are escaped. */
function quoted(text: string): string {
  if (isPlain(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replace(/[\\']/g, "\\$&").replace(UNSAFE_CHARACTERS, escapeBytes);
  return `$'${escaped}'`;
}

function escapeBytes(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}

function sample([title, text]: readonly [title: string, text: string]): VNode {
  return (
    <section key={title} class="stack" aria-label={title}>
      <div class="row panel-head">
        <h3>{title}</h3>
        <CopyButton text={() => text} what={`the code: ${title}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <pre class="box code" dir="ltr" tabIndex={0}>
        <Shortened text={text} limit={title === JSON_TITLE ? 15_000 : 1000} keepsLineEnds />
      </pre>
    </section>
  );
}

/** The same check for programs: in TypeScript, in the shell and over HTTP, and the answer as JSON. */
export function Code({ input, explained, list, documents }: CodeProps): VNode {
  const file = listFileName(list?.list.name ?? "phishing");
  // The steps, which are long, come last.
  const { listed, matches, steps, ...others } = explained;
  const found = matches.flatMap(({ checksum, expression }) =>
    checksum === list?.list.checksum ? [expression] : [],
  );
  const samples = [
    ["Install", INSTALL],
    [
      "TypeScript",
      `import { readFile } from "node:fs/promises";
import { checker } from "@x/lookup";
import { decodePrefixList } from "@x/prefix-list";
const list = decodePrefixList(await readFile("${file}"));
const matches = checker(list).check(${printableJson(input)});
console.log(matches.map(({ expression }) => expression)); // → ${printableJson(found)}`,
    ],
    ["Shell", `npx urlhash check --list ${file} -- ${quoted(input)}`],
    [
      "HTTP",
      `echo ${quoted(found[0] ?? explained.canonical)} > urls.txt
npx urlhash-server init --store lists
npx urlhash-server publish --store lists phishing=urls.txt
npx urlhash-server serve --store lists &
curl --json ${quoted(printableJson({ urls: [input] }))} http://127.0.0.1:8080/lookup`,
    ],
  ] as const;
  return (
    <Panel
      title="This check in your code"
      lead="MIT license. The packages are not on npm yet, so a clone of the repository packs them."
    >
      <p class="row">
        {list !== undefined && <SaveList list={list.list} label={`Save ${file}`} />}
        <a href={documents ?? "./readme.txt"} rel="noreferrer">
          All packages and their documentation
        </a>
      </p>
      {samples.map(sample)}
      {sample([JSON_TITLE, JSON.stringify({ listed, matches, ...others, steps }, null, 2)])}
    </Panel>
  );
}
