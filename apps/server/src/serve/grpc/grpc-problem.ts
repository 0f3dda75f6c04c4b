import type { ReplyHead } from "../http/reply.ts";

/** The gRPC status codes that this server sends. */
export const CODES = {
  OK: 0,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
} as const;
export type Code = (typeof CODES)[keyof typeof CODES];

/** The facts about a call for the log and the metrics. `status` is an HTTP status. */
export type CallHead = Omit<ReplyHead, "headers">;

/** The facts about calls that never reached a method. */
export const REFUSED: CallHead = { route: "grpc", status: 400 };

/** Thrown if a call fails. The client gets the code and the message. */
export class GrpcProblem extends Error {
  override readonly name = "GrpcProblem";
  readonly code: Code;
  readonly head: CallHead;

  constructor(code: Code, message: string, head: CallHead = REFUSED) {
    super(message);
    this.code = code;
    this.head = head;
  }
}
