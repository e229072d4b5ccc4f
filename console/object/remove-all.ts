import { Refused, send, sendRaw } from '../api/http.ts';
import { pathOf, type Kind } from '../api/kind.ts';
import { inTurns } from '../parts/turns.ts';
import type { Target } from './consequences.ts';
import type { Way } from './going.ts';

const NOT_FOUND = 404;

/**
 * Deletes objects of a kind. The answer: why some could not be deleted, one line
 * each, and whether one of the others is still there, waiting for something.
 */
export async function removeAll(
  kind: Kind,
  targets: readonly Target[],
  way: Way,
): Promise<readonly [failed: string[], isWaiting: boolean]> {
  let isWaiting = false;
  const failed = await inTurns(targets, async ({ namespace, name, uid }) => {
    const body = JSON.stringify({
      ...{ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: way },
      // not another object that has the name meanwhile
      preconditions: { uid },
    });
    const path = pathOf(kind, namespace, name);
    try {
      await send('DELETE', path, { body });
      const { status } = await sendRaw('GET', `${path}?fields=metadata.uid`);
      isWaiting ||= status !== NOT_FOUND;
    } catch (error) {
      // it went with another one, or an earlier attempt has deleted it
      if (!(error instanceof Refused) || error.code !== NOT_FOUND) throw error;
    }
  });
  return [failed.map(({ item, why }) => `${item.name}: ${why}`), isWaiting];
}
