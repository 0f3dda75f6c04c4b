import type { UrlExplanation } from "@x/explain";
import { isPlain, printableJson, UNSAFE_CHARACTERS } from "@x/explain/printable";
import type { VNode } from "preact";
import { CopyButton } from "../../components/buttons.tsx";
import { Shortened } from "../../components/data.tsx";
import { Panel } from "../../components/panels.tsx";
import { listFileName } from "../../model/page-list.ts";

interface CodeProps {
  readonly input: string;
  readonly explained: UrlExplanation;
  /** The name of a list in use. */
  readonly list: string;
}

const JSON_TITLE = "The answer as JSON";
const INSTALL =
  "First, save the list (under “Lists”). In a clone of this project: npm run pack -- ../your-project. Then, in yours: npm install ./packed/*.tgz";
const LIST_FILE =
  "Installed in the same way. Makes a list of your own: urlhash list build urls.txt -o my.list";
const SERVE = "First, publish a list and start the server: urlhash-server serve --store lists";

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

/** The same check for programs: in TypeScript, in the shell and over HTTP, and the answer as JSON. */
export function Code({ input, explained, list }: CodeProps): VNode {
  const file = listFileName(list);
  const { listed, matches, ...others } = explained;
  const samples = [
    [
      "TypeScript",
      INSTALL,
      `import { readFile } from "node:fs/promises";
import { checker } from "@x/lookup";
import { decodePrefixList } from "@x/prefix-list";
const list = decodePrefixList(await readFile("${file}"));
console.log(checker(list).check(${printableJson(input)}));`,
    ],
    ["Shell", LIST_FILE, `urlhash check --list ${file} -- ${quoted(input)}`],
    [
      "HTTP",
      SERVE,
      `curl --json ${quoted(printableJson({ urls: [input] }))} http://127.0.0.1:8080/lookup`,
    ],
    [JSON_TITLE, undefined, JSON.stringify({ listed, matches, ...others }, null, 2)],
  ] as const;
  return (
    <>
      {samples.map(([title, lead, text]) => (
        <Panel
          key={title}
          title={title}
          lead={lead}
          actions={<CopyButton text={() => text} what={`the code: ${title}`} />}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
          <pre class="box code" dir="ltr" tabIndex={0}>
            <Shortened text={text} limit={title === JSON_TITLE ? 15_000 : 1000} keepsLineEnds />
          </pre>
        </Panel>
      ))}
    </>
  );
}
