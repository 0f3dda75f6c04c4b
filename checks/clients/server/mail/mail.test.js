import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { createTransport } from "nodemailer";
import { program } from "../support/required-programs.js";
import { urlListServer } from "../support/url-list-server.js";
import { waitFor } from "../support/wait-for.js";
import { haraka } from "./haraka.js";
import { mailbox } from "./mailbox.js";
import { postfix } from "./postfix.js";

/* Mail servers with the files of docs/examples/mail. */

const base64 = (text) => Buffer.from(text).toString("base64");

const mailWith = (header, ...lines) =>
  ["From: <sender@mail.test>", "MIME-Version: 1.0", ...header, "", ...lines, ""].join("\r\n");

const HTML = ["Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: base64"];

const { path, skip: isMissing } = program("postfix");
const skip = process.getuid() === 0 ? isMissing : "Postfix needs root";

describe("docs/examples/mail", { timeout: 600_000 }, () => {
  let server;
  before(async () => {
    server = await urlListServer();
    await server.publish({ malware: ["http://evil.test/", "http://worse.test/"] });
  });
  after(() => server?.remove());

  for (const [name, start, options] of [
    ["Haraka", haraka, {}],
    ["Haraka that tags", (options) => haraka({ ...options, tag: "1" }), {}],
    ["Postfix", postfix, { skip }],
  ])
    describe(name, options, () => {
      let box;
      let mailServer;
      let transport;

      /** Sends an email, and returns the reply of the mail server. */
      async function reply(raw, { from = "sender@mail.test", to = ["reader@example.test"] } = {}) {
        try {
          return (await transport.sendMail({ envelope: { from, to }, raw })).response;
        } catch (error) {
          if (error.response === undefined) throw error;
          return error.response;
        }
      }

      before(async () => {
        await server.start();
        box = await mailbox();
        mailServer = await start({ path, origin: server.origin, next: box.port });
        const { port } = mailServer;
        transport = createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
        await waitFor(`${name} to have the list`, async () => {
          mailServer.mustRun();
          const answer = await reply(mailWith(["Subject: first"], "http://good.test/")).catch(
            () => "",
          );
          return answer.startsWith("250");
        });
      });
      after(async () => {
        await mailServer?.stop();
        await box?.close();
        await server.stop();
      });

      const accepts = async (raw, envelope) => assert.match(await reply(raw, envelope), /^250 /);
      const arrived = async (subject) => {
        const mail = () => box.mails.find(({ text }) => text.includes(`Subject: ${subject}\r`));
        await waitFor(`the email "${subject}"`, () => mail() !== undefined);
        return mail();
      };
      /** The values of a header of an email that has arrived. */
      const header = async (subject, name) => {
        const [head] = (await arrived(subject)).text.split("\r\n\r\n");
        return [...head.matchAll(new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, "gim"))].map(
          ([, value]) => value.replace(/\r\n[ \t]+/g, " "),
        );
      };

      test("parts that were not searched are named in a header, and forged headers are removed", async () => {
        const forged = [
          "Subject: a file",
          "X-Links-Unread: none,",
          "\tnone",
          "x-links-refused: no",
        ];
        const type = 'Content-Type: multipart/mixed; boundary="b"';
        const pdf = ["--b", 'Content-Type: application/pdf; name="bill.pdf"', "", "%PDF-1.4"];
        const text = ["--b", "Content-Type: text/plain", "", "http://good.test/", "--b--"];
        await accepts(mailWith([...forged, type], ...pdf, ...text));
        assert.deepEqual(await header("a file", "X-Links-Unread"), ["application/pdf bill.pdf"]);
        assert.deepEqual(await header("a file", "X-Links-Refused"), []);
      });

      if (name === "Haraka that tags") {
        test("an email with a listed link arrives with a header that says which", async () => {
          await accepts(mailWith(["Subject: tagged"], "http://evil.test/"));
          assert.deepEqual(await header("tagged", "X-Links-Refused"), [
            "5.7.1 Link not allowed (mw-4b): hxxp://evil[.]test/ in text/plain, line 1, column 1",
          ]);
        });
        return;
      }

      test("an email without listed links arrives as it was sent", async () => {
        const lines = [
          ".",
          "..",
          ".dots",
          "caf\u00e9 http://good.test/ <mailto:a@b.test>",
          "",
          " end",
        ];
        const to = ["first@example.test", "second@example.test"];
        await accepts(mailWith(["Subject: arrives"], ...lines), { to });
        // A report about an undeliverable mail has an empty sender.
        await accepts(mailWith(["Subject: a report"], "see evil.example"), { from: "" });
        const mail = await arrived("arrives");
        const body = Buffer.from(["", "", ...lines, ""].join("\r\n")).toString("latin1");
        assert.ok(mail.text.endsWith(body));
        assert.deepEqual(mail.to, to);
        assert.equal(mail.from, "sender@mail.test");
        assert.equal((await arrived("a report")).from, "");
      });

      test("an email with a listed link is refused, and the reply says which", async () => {
        assert.equal(
          await reply(mailWith(HTML, base64('<p>Hi!\n<a href="https://evil.test/a.php">bank</a>'))),
          "550 5.7.1 Link not allowed (mw-4b): hxxps://evil[.]test/a[.]php in text/html, line 2, column 10",
        );
        const wrapped = "https://www.google.com/url?q=http%3A%2F%2Fevil.test%2F";
        assert.equal(
          await reply(mailWith(["Subject: hi"], wrapped)),
          "550 5.7.1 Link not allowed (mw-4b): hxxps://www[.]google[.]com/url?q=http%3A%2F%2Fevil[.]test%2F in text/plain, line 1, column 1",
        );
        assert.equal(
          await reply(mailWith(["Subject: www.evil.test"], "Hi!")),
          "550 5.7.1 Link not allowed (mw-4b): hxxp://www[.]evil[.]test in subject, line 1, column 1",
        );
      });

      test("the reply is one line of ASCII, whatever is in the email", async () => {
        const type = 'multipart/mixed; boundary="b"';
        const long = "x".repeat(900);
        const attached = [
          ...["--b", "Content-Type: text/html; charset=utf-8"],
          "Content-Disposition: attachment; filename*=utf-8''caf%C3%A9%0D%0A250%20ok.html",
          ...["", `<a href='http://evil.test/\u00e9${long}'>x</a>`, "--b--"],
        ];
        const text = await reply(mailWith([`Content-Type: ${type}`], ...attached));
        assert.match(
          text,
          /^550 5\.7\.1 Link not allowed \(mw-4b\): hxxp:\/\/evil\[\.\]test\/[ -~]*$/,
        );
        assert.ok(text.length < 512);
      });

      test("an email that cannot be read is refused", async () => {
        assert.equal(
          await reply(mailWith(["Content-Type: multipart/mixed"], "no parts")),
          "550 5.6.0 Unreadable: boundary-missing",
        );
        assert.match(
          await reply(mailWith([], "http://a\u2065.test/")),
          /^550 5\.7\.1 Link not allowed \(url-undecided\)/,
        );
      });

      test("while the server is gone, emails with links on the lists have to wait", async () => {
        await server.stop();
        assert.equal(
          await reply(mailWith([], "http://worse.test/")),
          "450 4.7.1 Links not checked. Try again later.",
        );
        await accepts(mailWith(["Subject: the last one"], "http://good.test/"));
      });

      test("only the emails that were accepted have arrived", async () => {
        const subjects = () => box.mails.map(({ text }) => /^Subject: (.*)\r$/m.exec(text)?.[1]);
        await waitFor("the last mail", () => subjects().includes("the last one"));
        assert.deepEqual(subjects().sort(), [
          "a file",
          "a report",
          "arrives",
          "first",
          "the last one",
        ]);
      });

      if (name === "Postfix") {
        test("while the proxy is gone, no email is accepted", async () => {
          await mailServer.stopProxy();
          assert.match(await reply(mailWith([], "Hi!")), /^451 4\.3\.0 /);
        });
      }
    });
});
