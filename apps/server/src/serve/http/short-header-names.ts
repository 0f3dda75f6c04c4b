import { IncomingMessage } from "node:http";

/** Longer than the name of any header that is read. */
const MAX_NAME_LENGTH = 256;

const HEADERS = Object.getOwnPropertyDescriptor(IncomingMessage.prototype, "headers")!;

/**
 * A message whose headers have short names: longer ones are cut, and no longer mean anything.
 *
 * Node makes each name the key of an object, and V8 keeps all keys in one table. It computes the hash of a string of more
 * than 16 383 characters from its length alone, so that each such name would be compared with all the others.
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
