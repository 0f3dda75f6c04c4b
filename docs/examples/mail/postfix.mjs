// An SMTP proxy. Postfix sends each email through the proxy before it accepts the email, and gets the accepted emails
// back.
import { buffer } from "node:stream/consumers";
import { createTransport } from "nodemailer";
import { SMTPServer } from "smtp-server";
import { HEADERS, judge, stop as stopUpdates } from "./check-mail.mjs";

const { PORT = 10025, BACK_PORT = 10026 } = process.env;
const postfix = createTransport({ host: "127.0.0.1", port: BACK_PORT, ignoreTLS: true });

/** Replaces the headers that emails get here. */
function withHeaders(mail, headers) {
  const text = mail.toString("latin1");
  const emptyLine = text.indexOf("\r\n\r\n");
  const end = emptyLine === -1 ? text.length : emptyLine + 2;
  const forged = new RegExp(`^(?:${HEADERS.join("|")})[ \\t]*:.*\\r\\n(?:[ \\t].*\\r\\n)*`, "gim");
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${lines.join("")}${text.slice(0, end).replace(forged, "")}${text.slice(end)}`,
    "latin1",
  );
}

async function passOn(mail, { mailFrom, rcptTo }) {
  const { refusal, headers } = await judge(mail);
  if (refusal !== null) {
    throw Object.assign(new Error(refusal.text), { responseCode: refusal.code });
  }
  const to = rcptTo.map(({ address }) => address);
  const envelope = { from: mailFrom.address, to, use8BitMime: true };
  const { rejected, response } = await postfix.sendMail({
    envelope,
    raw: withHeaders(mail, headers),
  });
  if (rejected.length > 0)
    throw new Error(`4.3.0 Postfix has refused ${rejected.length} recipients`);
  return response.slice(4); // without the code
}

const server = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  disableReverseLookup: true,
  hideENHANCEDSTATUSCODES: true, // they are part of the texts
  onData(stream, { envelope }, done) {
    buffer(stream)
      .then((mail) => passOn(mail, envelope))
      .then((response) => done(null, response), done);
  },
});
server.listen(PORT, "127.0.0.1");

export async function stop() {
  await new Promise((resolve) => server.close(resolve));
  await stopUpdates();
}
