import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Refused, sentenceOf } from '../api/http.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { methods, signIn, startError } from '../state/session.ts';

const OIDC_PATH = '/console/session/oidc';

/** The ways to sign in. */
export function SignIn(): JSX.Element {
  const error = useSignal(startError.value?.message ?? '');
  const isBusy = useSignal(false);
  const { code, token, oidc } = methods.value;
  const run = async (value: string): Promise<void> => {
    isBusy.value = true;
    error.value = '';
    try {
      await signIn({ token: value });
    } catch (failure) {
      error.value =
        failure instanceof Refused && failure.code === 401
          ? 'The server does not know this token.'
          : sentenceOf(failure);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <main class="sign-in">
      <div class="card">
        <h1>Sign in to Plinth</h1>
        {error.value !== '' && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {oidc && (
          <a class="button primary" href={OIDC_PATH}>
            Sign in with your organisation
          </a>
        )}
        {token && (
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              const value = new FormData(event.currentTarget).get('token');
              if (typeof value === 'string') void run(value.trim());
            }}
          >
            <label>
              <span>Token</span>
              <input name="token" type="password" required autocomplete="off" spellcheck={false} />
              <small class="dim">
                A bearer token that the API accepts. It is kept by the server, not in this browser.
              </small>
            </label>
            <BusyButton type="submit" class={oidc ? '' : 'primary'} isBusy={isBusy.value}>
              {isBusy.value ? 'Signing in…' : 'Sign in'}
            </BusyButton>
          </form>
        )}
        <p class="dim">
          {code && 'On the machine of the server, npm start prints a link that signs you in. '}A
          client certificate in your browser signs you in without this page.
        </p>
      </div>
    </main>
  );
}
