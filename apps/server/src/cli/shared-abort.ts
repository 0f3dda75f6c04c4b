import { setMaxListeners } from "node:events";

/** A controller whose signal any number of requests may wait for. By default, Node warns of more than ten. */
export function sharedAbort(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
