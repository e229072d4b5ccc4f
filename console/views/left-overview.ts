import { onSignedOut } from '../api/http.ts';
import { session } from '../state/session.ts';
import type { OverviewModel } from './overview-model.ts';

/** Changes are followed so long after their view was left: who comes back has missed none. */
const LINGER_MS = 60_000;

interface Left {
  readonly namespace: string;
  /** Of what is counted and followed. */
  readonly names: string;
  readonly model: OverviewModel;
}

let left: Left | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps an overview that is not shown any more; it goes on for a while, unless the session has ended. */
export function leaveOverview(overview: Left): void {
  forget();
  if (session.peek() !== 'signed-in') {
    overview.model.close();
    return;
  }
  left = overview;
  timer = setTimeout(() => overview.model.close(), LINGER_MS);
}

/** The overview that was left last, if it was of this namespace: it is its taker's to close. */
export function leftOverview(namespace: string): Left | undefined {
  if (left?.namespace !== namespace) return undefined;
  clearTimeout(timer);
  const taken = left;
  left = undefined;
  return taken;
}

function forget(): void {
  clearTimeout(timer);
  left?.model.close();
  left = undefined;
}

// the next user of this page may not be allowed to see it
onSignedOut(forget);
