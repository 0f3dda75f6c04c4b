import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** A mail server that accepts everything. `mails` has the sender, the recipients and the text of each email. */
export async function mailbox() {
  const mails = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    async onData(stream, { envelope: { mailFrom, rcptTo } }, done) {
      const text = (await buffer(stream)).toString("latin1");
      mails.push({ from: mailFrom.address, to: rcptTo.map(({ address }) => address), text });
      done();
    },
  });
  // A client that gives up is not an error here.
  server.on("error", () => {});
  const { server: listener } = server;
  server.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: listener.address().port,
    mails,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
