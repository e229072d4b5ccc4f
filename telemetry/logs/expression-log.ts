import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Logger } from 'pino';
import type { Clock } from '../../api/clock.ts';
import { MESSAGE_PROBLEMS, type MessageProblem } from '../../schema/rules/message-problems.ts';
import { LogLimit } from './log-limit.ts';

/** Logs each messageExpression that gives no message, once a minute. The returned function ends that. */
export function logMessageProblems(log: Logger, clock: Clock): () => void {
  const limit = new LogLimit(clock);
  const onProblem = (message: unknown): void => {
    const { expression, why } = message as MessageProblem;
    const suppressed = limit.admit(expression);
    if (suppressed === undefined) return;
    log.warn(
      { expression, why, suppressed },
      'a messageExpression failed: message is told instead',
    );
  };
  subscribe(MESSAGE_PROBLEMS, onProblem);
  return () => unsubscribe(MESSAGE_PROBLEMS, onProblem);
}
