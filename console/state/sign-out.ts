import { sendRaw } from '../api/http.ts';

/** Where the server ends a session. */
const SIGN_OUT_PATH = '/console/session';

/** Ends the session and shows the page to sign in. */
export async function signOut(): Promise<void> {
  await sendRaw('DELETE', SIGN_OUT_PATH).catch(() => undefined);
  location.reload();
}
