import { channel } from 'node:diagnostics_channel';

/** A messageExpression that gave no message, so that the plain message was told instead. */
export interface MessageProblem {
  readonly expression: string;
  readonly why: string;
}

/**
 * The diagnostics channel on which {@link MessageProblem}s are published. Rules are evaluated far below
 * what knows the server's log; the server subscribes.
 */
export const MESSAGE_PROBLEMS = 'plinth:message-expression';
const problems = channel(MESSAGE_PROBLEMS);

/**
 * Tells subscribers of the channel that a rule's `messageExpression` failed; the rule's
 * fixed message is used.
 */
export function publishMessageProblem(expression: string, why: string): void {
  if (!problems.hasSubscribers) return;
  const problem: MessageProblem = { expression, why };
  problems.publish(problem);
}

/**
 * What an expression made, as a message; undefined, and published, when it is
 * empty, of several lines, too long, or no string.
 */
export function usableMessage(
  expression: string,
  value: unknown,
  maxBytes: number,
): string | undefined {
  const text = typeof value === 'string' ? value.trim() : undefined;
  const why = text === undefined ? 'it did not return a string' : problemOf(text, maxBytes);
  if (why === undefined) return text;
  publishMessageProblem(expression, why);
  return undefined;
}

function problemOf(text: string, maxBytes: number): string | undefined {
  if (text === '') return 'it returned an empty string';
  if (text.includes('\n')) return 'it returned more than one line';
  return Buffer.byteLength(text) > maxBytes ? `it returned more than ${maxBytes} bytes` : undefined;
}
