import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { urlhashServer } from "../support/commands.js";
import { exampleFolder, startProgram } from "../support/example-program.js";
import { freePort } from "../support/free-port.js";
import { listen } from "../support/listen.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { discord } from "./discord.js";

/* The programs of docs/examples/posts, with the frameworks and the library for bots from npm. */

const FRAMEWORKS = ["express", "fastify", "hono"];
const PACKAGES = [...FRAMEWORKS, "@hono/node-server", "discord.js", "@x/client", "@x/links"];
/** Google's redirect, with a listed URL inside. */
const WRAPPED = "https://www.google.com/url?q=http%3A%2F%2Fevil.test%2Fb";
/** A host with a character that Unicode has not assigned yet. */
const UNDECIDED = "http://a\u2065.test/";

/** A server that answers every request with 503. */
const overloadedServer = () => listen(createServer((_, response) => response.writeHead(503).end()));

/** Serves the files of a folder, as any web server does. */
const fileServer = (folder) =>
  listen(
    createServer((request, response) => {
      readFile(join(folder, decodeURIComponent(request.url))).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(404).end(),
      );
    }),
  );

describe("docs/examples/posts", { timeout: 300_000 }, () => {
  let server;
  let folder;
  let chat;
  let bot;
  /** The programs with a server, by name. */
  const apps = new Map();
  const programs = [];

  /** Starts a program of the example. */
  function start(file, env) {
    const program = startProgram([file], { cwd: folder, env });
    programs.push(program);
    return program;
  }

  async function startApp(name, env) {
    const port = await freePort();
    const program = start(`${name}.js`, { PORT: port, ...env });
    const send = async (body) => {
      const headers = { "Content-Type": "application/json" };
      const url = `http://127.0.0.1:${port}/posts`;
      const response = await fetch(url, { method: "POST", headers, body });
      const text = await response.text();
      return [
        response.status,
        response.ok || text.startsWith('{"error"') ? JSON.parse(text) : null,
      ];
    };
    return { program, send, post: (text) => send(JSON.stringify({ text })) };
  }

  /** Waits until an app gives a status for a text. */
  const waitForStatus = ({ program, post }, text, status) =>
    waitFor(`the status ${status}`, async () => {
      program.mustRun();
      const answer = await post(text).catch(() => null);
      return answer?.[0] === status;
    });

  before(async () => {
    folder = exampleFolder("posts", PACKAGES);
    server = await urlListServer();
    await server.publish({ malware: ["http://evil.test/", "http://worse.test/"] });
    await server.start();
    const env = { LISTS_SERVER: server.origin, LISTS: "mw-4b" };
    for (const name of FRAMEWORKS) apps.set(name, await startApp(name, env));
    chat = await discord();
    bot = start("discord-bot.js", { ...env, DISCORD_TOKEN: "token", DISCORD_API: chat.api });
    await Promise.all([
      ...[...apps.values()].map((app) => waitForStatus(app, "http://good.test/", 201)),
      Promise.race([chat.ready, waitFor("the bot", () => bot.mustRun())]),
    ]);
  });
  after(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    chat?.close();
    await server?.remove();
  });

  for (const name of FRAMEWORKS) {
    test(`${name}: a post without listed links is saved`, async () => {
      const text = "See [this](http://good.test/), mailto:a@good.test and /evil.test.";
      assert.deepEqual(await apps.get(name).post(text), [201, { text }]);
    });

    test(`${name}: a post with listed links is refused, and the answer names them`, async () => {
      const text = `First\nhxxp://www.evil[.]test/a, [good](http://good.test/)\n[x](//evil.test/) ${WRAPPED}`;
      const listed = (link, line, column) => ({ link, list: "mw-4b", reason: null, line, column });
      assert.deepEqual(await apps.get(name).post(text), [
        422,
        {
          error: "Some links are not allowed.",
          links: [
            listed("hxxp://www[.]evil[.]test/a", 2, 1),
            listed("hxxps://evil[.]test/", 3, 5),
            listed("hxxps://www[.]google[.]com/url?q=http%3A%2F%2Fevil[.]test%2Fb", 3, 19),
          ],
        },
      ]);
    });

    test(`${name}: a link that nobody can check is refused for good`, async () => {
      const [status, { links }] = await apps.get(name).post(UNDECIDED);
      assert.deepEqual([status, links[0].list, links[0].reason], [422, null, "url-undecided"]);
    });

    test(`${name}: what is not a post is refused`, async () => {
      const { send } = apps.get(name);
      for (const body of ["{}", '{"text":["http://evil.test/"]}', "null", "{", ""]) {
        assert.equal((await send(body))[0], 400, body);
      }
    });
  }

  test("the bot deletes messages with listed links, and says which", async () => {
    chat.write("http://good.test/");
    const deleted = [
      chat.write("look: [here](http://evil.test/)"),
      chat.edit(`edited: ${WRAPPED}`),
      chat.forward("forwarded: www.evil.test"),
    ];
    await waitFor("three messages of the bot", () => {
      bot.mustRun();
      return chat.calls.filter(({ sent }) => sent).length === deleted.length;
    });
    const gone = chat.calls.flatMap((call) => call.deleted ?? []);
    assert.deepEqual(gone.sort(), deleted);
    const said = chat.calls.flatMap(({ sent }) => sent ?? []).sort();
    assert.deepEqual(said, [
      `Deleted a message by <@${chat.author}>: \`hxxp://evil[.]test/\` (mw-4b)`,
      `Deleted a message by <@${chat.author}>: \`hxxp://www[.]evil[.]test\` (mw-4b)`,
      `Deleted a message by <@${chat.author}>: \`hxxps://www[.]google[.]com/url?q=http%3A%2F%2Fevil[.]test%2Fb\` (mw-4b)`,
    ]);
  });

  test("a message that the bot must not delete does not end it", async () => {
    chat.writeGuarded("http://evil.test/guarded");
    await waitFor("the error", () => {
      bot.mustRun();
      return bot.said().includes("Missing Permissions");
    });
    const id = chat.write("http://evil.test/next");
    await waitFor("the next message to be deleted", () => {
      bot.mustRun();
      return chat.calls.some(({ deleted }) => deleted === id);
    });
    // The bot must not delete its own messages, although they name the links again.
    const gone = chat.calls.flatMap(({ deleted }) => deleted ?? []);
    assert.equal(gone.length, 4);
  });

  test("while the server is gone, links on the lists cannot be confirmed, and others pass", async () => {
    await server.stop();
    for (const { post } of apps.values()) {
      assert.equal((await post("http://good.test/"))[0], 201);
      const [status, { links }] = await post("good.test\nworse.test/a");
      assert.equal(status, 503);
      const unchecked = { list: "mw-4b", reason: "server-unreachable", line: 2, column: 1 };
      assert.deepEqual(links, [{ link: "hxxp://worse[.]test/a", ...unchecked }]);
    }
    const replyTo = chat.write("http://worse.test/");
    const warning = await waitFor("the warning of the bot", () => {
      bot.mustRun();
      return chat.calls.find((call) => call.replyTo === replyTo);
    });
    const sent = "The links in this message could not be checked. Do not open them.";
    assert.deepEqual(warning, { sent, replyTo });
  });

  test("the lists can be files on a web server", async () => {
    const lists = join(folder, "lists");
    const site = join(folder, "site");
    const hosts = join(folder, "hosts.txt");
    writeFileSync(hosts, "0.0.0.0 evil.test\n");
    await urlhashServer("init", "--store", lists);
    await urlhashServer("publish", "--store", lists, `phishing=${hosts}`);
    await urlhashServer("copy", "--from", lists, "--to", site);
    const web = await fileServer(site);
    try {
      const app = await startApp("express", {
        ...{ LISTS_STORE: `${web.origin}/`, LISTS: "phishing" },
        LISTS_PUBLIC_KEY: readFileSync(`${lists}.pub`, "utf8").trim(),
      });
      await waitForStatus(app, "http://good.test/", 201);
      const [status, { links }] = await app.post("http://www.evil.test/a");
      assert.deepEqual([status, links[0].list], [422, "phishing"]);
      await app.program.stop();
    } finally {
      await web.close();
    }
  });

  test("without any list, no post with a link is saved", async () => {
    const overloaded = await overloadedServer();
    try {
      const app = await startApp("express", { LISTS_SERVER: overloaded.origin, LISTS: "mw-4b" });
      await waitForStatus(app, "no links", 201);
      const place = { line: 1, column: 1 };
      assert.deepEqual(await app.post("http://good.test/"), [
        503,
        {
          error: "Some links could not be checked.",
          links: [{ link: "hxxp://good[.]test/", list: null, reason: "not-loaded", ...place }],
        },
      ]);
      await waitFor("the error", () => {
        app.program.mustRun();
        return app.program.said().includes("There are no lists yet");
      });
    } finally {
      await overloaded.close();
    }
  });
});
