import { signal } from '@preact/signals';
import { errorOf, getJson, onSignedOut, Refused, send, sentenceOf } from '../api/http.ts';
import { at, textAt, type Json } from '../api/json.ts';
import { followKinds, readKinds } from './catalog.ts';
import { renew } from './live.ts';
import { forgetDrafts } from './drafts.ts';
import { followNamespaces } from './namespaces.ts';
import { startNamespaces } from './own-namespaces.ts';
import { forgetNamespace, go } from './place.ts';
import { me, readMe, renewRights } from './rights.ts';
import { isOtherUser } from './tab-user.ts';
import { forgetVisits, replaceEntry } from './visits.ts';

type Session = 'starting' | 'signed-in' | 'signed-out' | 'failed';

export const session = signal<Session>('starting');
/** Why the console could not start, or a sign-in has failed. */
export const startError = signal<Error | undefined>(undefined);

/** Ways to sign in that the server offers now. */
interface Methods {
  readonly code: boolean;
  readonly token: boolean;
  readonly oidc: boolean;
}
export const methods = signal<Methods>({ code: false, token: true, oidc: false });

const SESSION_PATH = '/console/session';
/** In the address of a link that signs in, and after a sign-in at an issuer that has failed. */
const CODE = /^#code=([\w-]+)$/;
const FAILED = '#sign-in=failed';
const FIRST_PLACE = '#/overview';

/** Finds out who is signed in, and reads what every page needs. */
export async function start(): Promise<void> {
  session.value = 'starting';
  startError.value = undefined;
  try {
    await signInByAddress();
    if (!(await isSignedIn())) {
      session.value = 'signed-out';
      return;
    }
    await Promise.all([readMe(), readKinds(), renewRights(true)]);
    if (isOtherUser(me.value?.name ?? '')) forgetUser();
    renew();
    await startNamespaces();
    session.value = 'signed-in';
    followKinds();
    void followNamespaces();
  } catch (error) {
    const isSignedOut = error instanceof Refused && (error.code === 401 || error.code === 403);
    startError.value = errorOf(error);
    session.value = isSignedOut ? 'signed-out' : 'failed';
  }
}

/** Signs in and starts. @throws Refused, Unreachable */
export async function signIn(credential: { token: string } | { code: string }): Promise<void> {
  await send('POST', SESSION_PATH, { body: JSON.stringify(credential) });
  await start();
}

/**
 * Ends the session, forgets what was typed, and shows the page to sign in.
 *
 * @throws Unreachable, Refused: the session goes on
 */
export async function signOut(): Promise<void> {
  await send('DELETE', SESSION_PATH).catch((error: unknown) => {
    // what is refused for its own sake has no session any more
    if (!(error instanceof Refused) || error.code >= 500) throw error;
  });
  forgetUser();
  location.reload();
}

/** What a user has typed and looked at in this tab is not for the next one. */
function forgetUser(): void {
  forgetVisits();
  forgetDrafts();
  forgetNamespace();
}

/** Takes the code of a link; it leaves the address, so that it is in no history. */
async function signInByAddress(): Promise<void> {
  const { hash } = location;
  if (hash === FAILED) startError.value = new Error('The issuer has not signed you in.');
  const [, code] = CODE.exec(hash) ?? [];
  if (code !== undefined || hash === FAILED) {
    replaceEntry(FIRST_PLACE);
    go(FIRST_PLACE, true);
  }
  if (code === undefined) return;
  try {
    await send('POST', SESSION_PATH, { body: JSON.stringify({ code }) });
  } catch (error) {
    startError.value =
      error instanceof Refused && error.code === 401
        ? new Error('The link was used already, or is older than 15 minutes.')
        : new Error(sentenceOf(error));
  }
}

async function isSignedIn(): Promise<boolean> {
  const present: Json = await getJson(SESSION_PATH);
  const offers = (name: string): boolean => at(present, 'methods', name) === true;
  methods.value = { code: offers('code'), token: offers('token'), oidc: offers('oidc') };
  return textAt(present, 'user', 'name') !== '';
}

onSignedOut(() => {
  if (session.value === 'signed-in') session.value = 'signed-out';
});
