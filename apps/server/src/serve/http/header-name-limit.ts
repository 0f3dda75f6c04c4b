import { IncomingMessage } from "node:http";

/** The maximum length of a header name, in characters. The server reads no header with a longer name. */
const MAX_NAME_LENGTH = 256;

const HEADERS = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, "headers")!;

/**
 * A message whose long header names are truncated.
 *
 * Node makes each name the key of an object, and V8 keeps all keys in one table. V8 computes the hash of a string of
 * more than 16 383 characters from its length alone, so each name of that length would be compared with all the others.
 */
export class MessageWithShortNames extends IncomingMessage {
  areNamesShort = false;
}

Object.defineProperty(MessageWithShortNames.prototype, "headers", {
  ...HEADERS,
  get(this: MessageWithShortNames) {
    if (!this.areNamesShort) {
      this.areNamesShort = true;
      const { rawHeaders } = this;
      for (let i = 0; i < rawHeaders.length; i += 2) {
        const name = rawHeaders[i]!;
        if (name.length > MAX_NAME_LENGTH) rawHeaders[i] = name.slice(0, MAX_NAME_LENGTH);
      }
    }
    return HEADERS.get!.call(this);
  },
});
