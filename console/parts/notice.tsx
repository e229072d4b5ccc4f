import type { ComponentChildren, JSX } from 'preact';
import { Refused, Unreachable } from '../api/http.ts';
import { Icon, type IconName } from './icon.tsx';

interface NoticeProps {
  readonly title: string;
  readonly icon?: IconName;
  /** It is all that the page shows. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}

/** What stands in place of content that is not there: what it is, and what to do. */
export function Notice({
  title,
  icon = 'box',
  isPage = false,
  children,
}: NoticeProps): JSX.Element {
  return (
    <div class="notice">
      <Icon name={icon} />
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      <div class="notice-text">{children}</div>
    </div>
  );
}

/** Why something cannot be shown, and what to do about it. */
export function Failure({
  error,
  retry,
}: {
  readonly error: Error;
  readonly retry?: (() => void) | undefined;
}): JSX.Element {
  const [title, advice] = explain(error);
  return (
    <Notice title={title} icon="warning">
      <p>{error.message}</p>
      <p class="dim">{advice}</p>
      {retry && (
        <button type="button" onClick={retry}>
          <Icon name="refresh" /> Try again
        </button>
      )}
    </Notice>
  );
}

function explain(error: Error): [title: string, advice: string] {
  if (error instanceof Unreachable) {
    return [
      'The server does not answer',
      'The console tries again by itself. Check that the server runs and that the network reaches it.',
    ];
  }
  const code = error instanceof Refused ? error.code : 0;
  switch (code) {
    case 401:
      return ['You are signed out', 'Sign in again to go on.'];
    case 403:
      return [
        'You may not see this',
        'An administrator can grant the right that the message names. The page Access shows what you may do.',
      ];
    case 404:
      return ['This does not exist', 'It may have been deleted, or the address has a mistake.'];
    case 400:
      return [
        'The server does not understand the question',
        'Correct the filter or the address, as the message says.',
      ];
    case 429:
    case 503:
      return ['The server is busy', 'Wait a moment, then try again.'];
    default:
      return [
        'This cannot be shown',
        'Try again; if it stays so, the log of the server says more.',
      ];
  }
}

/** A place holder while something is read. */
export function Loading(): JSX.Element {
  return (
    <p class="loading" role="status">
      Reading…
    </p>
  );
}
