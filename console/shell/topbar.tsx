import type { JSX } from 'preact';
import { sentenceOf } from '../api/http.ts';
import { say } from '../parts/announce.ts';
import { Icon } from '../parts/icon.tsx';
import { connection, connectNow } from '../state/live.ts';
import { findKind } from '../state/catalog.ts';
import { chosenNamespace, place } from '../state/place.ts';
import { me } from '../state/rights.ts';
import { pageHash, tableHash } from '../state/route.ts';
import { density, nextDensity, nextTheme } from '../state/settings.ts';
import { NamespaceBox } from './namespace-box.tsx';
import { isSidebarOpen } from './sidebar.tsx';
import { openPalette } from './open-palette.ts';
import { signOut } from '../state/session.ts';

/** Where one is, and what concerns the whole console. */
export function Topbar(): JSX.Element {
  return (
    <header class="topbar">
      <button
        type="button"
        class="quiet square only-narrow"
        aria-label="Menu"
        aria-expanded={isSidebarOpen.value}
        aria-controls="sidebar"
        onClick={() => (isSidebarOpen.value = !isSidebarOpen.value)}
      >
        <Icon name="menu" />
      </button>
      <a
        class="brand"
        href={pageHash('overview', chosenNamespace.value)}
        aria-label="Plinth, overview"
      >
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M8 23h16M10 19.500h12M12 9h8v7h-8z" />
        </svg>
        <span>Plinth</span>
      </a>
      <NamespacePlace />
      <span class="grow" />
      <button
        type="button"
        class="command"
        onClick={() => openPalette('')}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Icon name="search" /> <span>Go to…</span> <kbd>Ctrl K</kbd>
      </button>
      <ConnectionState />
      <button
        type="button"
        class="quiet square"
        aria-label={`Show rows ${density.value === 'calm' ? 'dense' : 'calm'}`}
        title="Calm or dense (v)"
        onClick={nextDensity}
      >
        <Icon name="rows" />
      </button>
      <button
        type="button"
        class="quiet square"
        aria-label="Change between dark and light"
        title="Dark or light (t)"
        onClick={nextTheme}
      >
        <Icon name="moon" />
      </button>
      <details class="menu">
        <summary aria-label={`Signed in as ${me.value?.name ?? ''}`}>
          <Icon name="user" />
        </summary>
        <div class="menu-body">
          <strong>{me.value?.name}</strong>
          <span class="dim">{me.value?.groups.join(', ')}</span>
          <a class="button" href="#/access">
            What may I do?
          </a>
          <a class="button" href="#/keys">
            Keyboard
          </a>
          <button type="button" onClick={() => void signOut().catch(sayStillSignedIn)}>
            <Icon name="out" /> Sign out
          </button>
        </div>
      </details>
    </header>
  );
}

function sayStillSignedIn(error: unknown): void {
  say(`You are still signed in: ${sentenceOf(error)}`, true);
}

/** The namespace of what is shown, where it has one. */
function NamespacePlace(): JSX.Element | null {
  const here = place.value;
  if (here.view === 'object' && here.namespace !== '') {
    return (
      <a class="crumb" href={tableHash(here.kind, { namespace: here.namespace })}>
        {here.namespace}
      </a>
    );
  }
  const isOfNamespaces =
    here.view === 'overview' || (here.view === 'table' && findKind(here.kind)?.namespaced === true);
  return isOfNamespaces ? <NamespaceBox /> : null;
}

const WORDS = {
  ...{ live: 'Live', connecting: 'Connecting', lost: 'Disconnected' },
  ...{ idle: 'Idle', refused: 'Not live' },
} as const;
const TITLES = {
  ...{ live: 'Changes appear as they happen', connecting: '', lost: '' },
  idle: 'Nothing is followed here',
  refused: 'The server does not let you follow changes',
} as const;

function ConnectionState(): JSX.Element {
  const state = connection.value;
  return (
    <span class={`connection ${state}`} role="status" title={TITLES[state]}>
      <span class="dot" aria-hidden="true" />
      <span class="words">{WORDS[state]}</span>
      {state === 'lost' && (
        <button type="button" class="quiet small" onClick={connectNow}>
          Connect now
        </button>
      )}
    </span>
  );
}
