import { createConnection } from "node:net";

/**
 * A session with a Firefox that was started with `--marionette -remote-allow-system-access`. Scripts run with the
 * privileges of the browser itself.
 */
export async function marionette(port) {
  const socket = createConnection({ host: "127.0.0.1", port });
  const waiting = new Map();
  let rest = Buffer.alloc(0);
  let next = 0;
  const failAll = (error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  socket.on("error", failAll);
  socket.on("close", () => failAll(new Error("Firefox closed the connection")));
  let greet;
  const greeting = new Promise((resolve, reject) => {
    greet = resolve;
    socket.once("error", reject);
  });
  // Each message is its length in bytes, a colon, and JSON.
  socket.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const colon = rest.indexOf(":");
      if (colon < 0) return;
      const end = colon + 1 + Number(rest.subarray(0, colon).toString());
      if (rest.length < end) return;
      const message = JSON.parse(rest.subarray(colon + 1, end).toString());
      rest = rest.subarray(end);
      if (!Array.isArray(message)) {
        greet();
        continue;
      }
      const [, id, error, result] = message;
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (error) reject?.(new Error(`${error.error}: ${error.message}`));
      else resolve?.(result);
    }
  });
  await greeting;

  function send(command, parameters = {}) {
    const id = ++next;
    const text = JSON.stringify([0, id, command, parameters]);
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    return answer;
  }
  await send("WebDriver:NewSession", {});
  await send("WebDriver:SetTimeouts", { script: 240_000 });
  await send("Marionette:SetContext", { value: "chrome" });
  return {
    /** Runs the body of an asynchronous function in the browser's own scope, and returns its result. */
    async run(body, ...args) {
      const script = `
        const done = arguments[arguments.length - 1];
        const given = Array.prototype.slice.call(arguments, 0, -1);
        (async (...args) => { ${body} })(...given).then(
          (value) => done({ value }),
          (error) => done({ error: String(error) + " " + (error && error.stack) }),
        );`;
      const { value } = await send("WebDriver:ExecuteAsyncScript", {
        script,
        args,
        sandbox: "system",
      });
      if (value.error !== undefined) throw new Error(value.error);
      return value.value;
    },
    close() {
      socket.destroy();
    },
  };
}
