import type { Clock } from '../../api/clock.ts';

/** How long a document is worked on before others have their turn. */
const TURN_MS = 3;

/** Lets other work run; to be awaited between the parts of a long document. */
export type Pause = () => Promise<void>;

/** A pause that takes place only when the last one is some milliseconds ago. */
export function pauses(clock: Clock): Pause {
  let since = clock.monotonic();
  return async () => {
    if (clock.monotonic() - since < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = clock.monotonic();
  };
}
