/** As an error stands in a line of the log. */
interface LoggedError {
  readonly type: string;
  /** What it says and what its causes add to that. */
  readonly message: string;
  /** Of a defect: what is wrong with the world is not found in this program. */
  readonly stack?: string;
}

/** Causes that are looked at, and how much of what they say is kept. */
const MAX_CAUSES = 8;
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * An error as a value of one line. A failure that the program knows, of a class
 * of its own or of the operating system, needs no stack: with one, each call of
 * a webhook that is down would be 2.7 KB of log.
 */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const chain = chainOf(error);
  const defect = chain.find(isDefect);
  return {
    type: error.name,
    message: messageOf(chain),
    ...(defect?.stack === undefined ? {} : { stack: defect.stack }),
  };
}

/** What an error and its causes say; what one repeats of another is said once. */
export function explanationOf(error: unknown): string {
  return error instanceof Error ? messageOf(chainOf(error)) : String(error);
}

function chainOf(error: Error): Error[] {
  const chain: Error[] = [];
  const waiting: unknown[] = [error];
  while (waiting.length > 0 && chain.length < MAX_CAUSES) {
    const next = waiting.shift();
    if (!(next instanceof Error) || chain.includes(next)) continue;
    chain.push(next);
    waiting.push(next.cause, ...(next instanceof AggregateError ? (next.errors as unknown[]) : []));
  }
  return chain;
}

function messageOf(chain: readonly Error[]): string {
  let told = '';
  for (const { message } of chain) {
    if (told.includes(message)) continue;
    told = told === '' ? message : `${told}: ${message}`;
  }
  return told.slice(0, MAX_MESSAGE_LENGTH);
}

const DEFECTS: readonly (abstract new (...args: never[]) => Error)[] = [
  TypeError,
  RangeError,
  ReferenceError,
  EvalError,
];

/** Node and the operating system give their errors a code. */
function isDefect(error: Error): boolean {
  if (DEFECTS.some((type) => error instanceof type)) return true;
  return error.name === 'Error' && (error as { code?: unknown }).code === undefined;
}
