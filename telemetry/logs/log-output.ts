import { pino, type DestinationStream } from 'pino';
import type { Clock } from '../../api/clock.ts';

/** A line that waits for longer than this is going nowhere; kube-apiserver's patience. */
export const LOG_PATIENCE_MS = 120_000;

/** What pino offers of its destinations, as far as it is needed here. */
interface LogDestination extends DestinationStream {
  flush(done?: (error?: Error) => void): void;
  /** Something has been written. */
  on(event: 'write', listener: () => void): unknown;
}

interface LogOutput {
  readonly stream: DestinationStream & Pick<LogDestination, 'flush'>;
  /** Lines wait and are not taken: the pipe is full, or the disk hangs. */
  readonly isBlocked: () => boolean;
}

/** Where log lines go: standard output, written in the background, with an eye on whether they arrive. */
export function logOutput(
  clock: Clock,
  destination: LogDestination = pino.destination({ sync: false }),
): LogOutput {
  let waitingSince: number | undefined;
  destination.on('write', () => (waitingSince = undefined));
  return {
    stream: {
      write(line) {
        waitingSince ??= clock.monotonic();
        destination.write(line);
      },
      flush: (done) => destination.flush(done),
    },
    isBlocked: () =>
      waitingSince !== undefined && clock.monotonic() - waitingSince > LOG_PATIENCE_MS,
  };
}
