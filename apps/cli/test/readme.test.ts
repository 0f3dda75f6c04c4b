import { readFileSync } from "node:fs";
import { temporaryFolder } from "@x/test-support/temporary-folder";
import { expect, test } from "vitest";
import { run } from "./run.ts";

const folder = temporaryFolder();

interface Example {
  readonly argv: readonly string[];
  /** The file after "<", if any. */
  readonly input: string | null;
  /** What a terminal shows: messages, then results. */
  readonly output: string;
}

/** The commands of the README's `console` blocks, each with what it says they write. */
function examples(): Example[] {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const blocks = [...readme.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block]) => block!);
  return blocks
    .flatMap((block) => block.split(/^\$ urlhash /m).slice(1))
    .map((example) => {
      const [line, ...output] = example.split("\n");
      const [command, input = null] = line!.split(" < ");
      const words = command!.match(/'[^']*'|\S+/g)!;
      const argv = words.map((word) => word.replaceAll("'", ""));
      return { argv, input, output: output.join("\n") };
    });
}

/** What differs from run to run. */
const settled = (text: string): string =>
  text.trimEnd().replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "TIME");

test("the README's examples write what it says", async () => {
  folder.write("hosts.txt", "# Two sites\nevil.example\nbad.example/x/\n");
  folder.write(
    "feed.csv",
    "id,url,threat\n1,http://feed.example/a,malware\n2,http://feed.example/b,phishing\n",
  );
  folder.write("filters.txt", "||evil.example^\nexample.com##.ad\n");
  folder.write("more.txt", "evil.example\nbad.example/x/\nworse.example\n");
  folder.write("urls.txt", "example.com\nhttp://bad.example/x/y\nmailto:somebody@example.com\n");
  folder.write("sites.txt", "# Two sites\nhttp://www.thus.net\n  urn:ISBN:x\n");
  folder.write(
    "visited.txt",
    "http://a.example/1\nhttp://a.example/2\nhttp://www.b.example/\nhttp://b.example/x\nhttp://c.example/\n",
  );
  folder.write(
    "visits.csv",
    "url\nhttp://www.evil.example/login\nhttp://example.com/\nmailto:somebody@example.com\n",
  );
  folder.write("HASHED.txt", "# One\nhashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\n");
  folder.write(
    "books.csv",
    'title,id\nOne,urn:isbn:0-395-36341-1\n"Two, or 2",urn:isbn:0-395-36341-2\n',
  );
  folder.write("mail.txt", "See <urn:isbn:0451450523>,\nand «more» (urn:ietf:rfc:2141).\n");
  folder.write(
    "requests.txt",
    ["http://evil.example/login", "http://example.com/", "www.evil.example:443", "urn:example:a"]
      .map((uri, i) => `${i + 1} ${uri} -\n`)
      .join(""),
  );
  const before = process.cwd();
  process.chdir(folder.path("."));
  try {
    const all = examples();
    expect(all.length).toBeGreaterThanOrEqual(10);
    for (const { argv, input, output } of all) {
      const { stdout, stderr } = await run(
        argv,
        input === null ? {} : { stdin: readFileSync(input) },
      );
      expect(settled(stderr + stdout)).toBe(settled(output));
    }
  } finally {
    process.chdir(before);
  }
});
