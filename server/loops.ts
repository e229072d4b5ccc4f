import type { Logger } from 'pino';
import { crdCleanupLoop } from '../controllers/crd-cleanup-loop.ts';
import { crdNamesLoop } from '../controllers/crd-names-loop.ts';
import type { Loop } from '../controllers/loop.ts';
import { LoopRunner } from '../controllers/runner.ts';
import { LoopWriter } from '../controllers/writer.ts';
import type { RegistryParts } from '../registry/parts.ts';

/** Everything that goes on in the background. */
export function backgroundLoops(parts: RegistryParts): Loop[] {
  const writer = new LoopWriter(parts);
  return [crdNamesLoop(parts, writer), crdCleanupLoop(parts, writer)];
}

/** Runs the loops; the returned function ends them. */
export function startLoops(parts: RegistryParts, log: Logger): () => Promise<void> {
  const { clock, reader } = parts;
  const onFailure = (loop: string, error: unknown): void =>
    log.warn({ err: error, loop }, 'a background loop has failed and will be tried again');
  const runners = backgroundLoops(parts).map(
    (loop) => new LoopRunner(loop, { clock, replica: reader.replica, onFailure }),
  );
  for (const runner of runners) runner.start();
  return async () => {
    await Promise.all(runners.map((runner) => runner.stop()));
  };
}
