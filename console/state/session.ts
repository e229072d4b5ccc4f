import { signal } from '@preact/signals';
import { onSignedOut, Refused, sentenceOf } from '../api/http.ts';
import { followKinds, readKinds } from './catalog.ts';
import { stream } from './live.ts';
import { readMe, readNamespaces } from './rights.ts';

type Session = 'starting' | 'signed-in' | 'signed-out' | 'failed';

export const session = signal<Session>('starting');
/** Why the console could not start. */
export const startError = signal<Error | undefined>(undefined);

let isFollowing = false;

/** Finds out who is signed in, and reads what every page needs. */
export async function start(): Promise<void> {
  session.value = 'starting';
  try {
    await Promise.all([readMe(), readKinds(), readNamespaces()]);
    session.value = 'signed-in';
    stream.connect();
    if (!isFollowing) followKinds();
    isFollowing = true;
  } catch (error) {
    const isSignedOut = error instanceof Refused && (error.code === 401 || error.code === 403);
    startError.value = error instanceof Error ? error : new Error(sentenceOf(error));
    session.value = isSignedOut ? 'signed-out' : 'failed';
  }
}

onSignedOut(() => {
  if (session.value === 'signed-in') session.value = 'signed-out';
});
