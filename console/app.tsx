import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { announcement, say } from './parts/announce.ts';
import { Failure, Loading, Notice } from './parts/notice.tsx';
import { Lazy } from './parts/lazy.tsx';
import { ObjectView } from './object/object-view.tsx';
import { followKeys } from './shell/keys.ts';
import { NewBuild } from './shell/new-build.tsx';
import { Palette } from './shell/palette.tsx';
import { followScrolls } from './shell/scrolls.ts';
import { Sidebar } from './shell/sidebar.tsx';
import { Topbar } from './shell/topbar.tsx';
import { findKind } from './state/catalog.ts';
import { nameKind, place } from './state/place.ts';
import { objectHash } from './state/route.ts';
import { apiVersionOf, resourceName, sameKind, type Kind, type KindName } from './api/kind.ts';
import { session, start, startError } from './state/session.ts';
import { TableView } from './table/table-view.tsx';
import { titleOf } from './shell/title.ts';

/** The whole console. */
export function App(): JSX.Element {
  useEffect(() => {
    void start();
    const ends = [followKeys(), followScrolls()];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  const isSignedOut = session.value === 'signed-out';
  document.title = isSignedOut ? 'Sign in · Plinth' : titleOf(place.value);
  switch (session.value) {
    case 'starting':
      return <Loading />;
    case 'signed-out':
      return (
        <Lazy
          load={async () => {
            const { SignIn } = await import('./views/sign-in.tsx');
            return SignIn;
          }}
        />
      );
    case 'failed':
      return (
        <main class="alone">
          <Failure error={startError.value ?? new Error('')} retry={() => void start()} />
        </main>
      );
    case 'signed-in':
      return (
        <>
          <a class="skip" href="#main" onClick={skip}>
            Skip to the content
          </a>
          <Topbar />
          <NewBuild />
          <Sidebar />
          <main id="main" tabIndex={0} data-scroll="main">
            <View />
          </main>
          <Palette />
          <Announcer />
        </>
      );
  }
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function View(): JSX.Element {
  const route = place.value;
  switch (route.view) {
    case 'table':
      return (
        <OfKind name={route.kind}>
          {(kind) => (
            <TableView
              kind={kind}
              // an address that was written by hand can name one all the same
              query={kind.namespaced ? route.query : { ...route.query, namespace: '' }}
            />
          )}
        </OfKind>
      );
    case 'object': {
      const { namespace, name, tab } = route;
      return (
        <OfKind name={route.kind}>
          {(kind) => (
            <ObjectView
              // a dialog about another object does not stay
              key={objectHash(kind, namespace, name)}
              {...{ kind, namespace, name, tab }}
            />
          )}
        </OfKind>
      );
    }
    case 'create': {
      const { namespace, isForm } = route;
      return (
        <OfKind name={route.kind}>
          {(kind) => (
            <Lazy
              key={resourceName(kind)}
              load={async () => {
                const { Create } = await import('./editor/create.tsx');
                return Create;
              }}
              props={{ kind, namespace, isForm }}
            />
          )}
        </OfKind>
      );
    }
    case 'overview':
      return (
        <Lazy
          key="overview"
          load={async () => {
            const { Overview } = await import('./views/overview.tsx');
            return Overview;
          }}
          props={{ parameters: route.parameters }}
        />
      );
    case 'definitions':
      return (
        <Lazy
          key="definitions"
          load={async () => {
            const { Definitions } = await import('./views/definitions.tsx');
            return Definitions;
          }}
          props={{ parameters: route.parameters }}
        />
      );
    case 'access':
      return (
        <Lazy
          key="access"
          load={async () => {
            const { Access } = await import('./views/access.tsx');
            return Access;
          }}
          props={{ parameters: route.parameters }}
        />
      );
    case 'admission':
      return (
        <Lazy
          key="admission"
          load={async () => {
            const { Admission } = await import('./views/admission.tsx');
            return Admission;
          }}
        />
      );
    case 'explorer':
      return (
        <Lazy
          key="explorer"
          load={async () => {
            const { Explorer } = await import('./views/explorer.tsx');
            return Explorer;
          }}
          props={{ parameters: route.parameters }}
        />
      );
    case 'graphs':
      return (
        <Lazy
          key="graphs"
          load={async () => {
            const { Graphs } = await import('./views/graphs.tsx');
            return Graphs;
          }}
        />
      );
    case 'keys':
      return (
        <Lazy
          key="keys"
          load={async () => {
            const { Keys } = await import('./views/keys.tsx');
            return Keys;
          }}
        />
      );
    case 'missing':
      return (
        <Notice title="There is no such page" icon="warning" isPage>
          <p>The address names no place of the console.</p>
          <a class="button" href="#/overview">
            Go to the overview
          </a>
        </Notice>
      );
  }
}

function OfKind({
  name,
  children,
}: {
  readonly name: KindName;
  readonly children: (kind: Kind) => JSX.Element;
}): JSX.Element {
  const kind = findKind(name);
  useEffect(() => {
    if (kind === undefined || sameKind(kind, name)) return;
    if (kind.version !== name.version)
      say(`${name.version} is not served. This is ${apiVersionOf(kind)}.`);
    nameKind(kind);
  }, [kind, name]);
  if (kind !== undefined) return children(kind);
  return (
    <Notice title="The server does not serve this kind" icon="warning" isPage>
      <p>
        {name.plural} of {name.group === '' ? 'the core group' : name.group} may come back with its
        definition.
      </p>
      <a class="button" href="#/definitions">
        Show the definitions
      </a>
    </Notice>
  );
}

function Announcer(): JSX.Element {
  const said = announcement.value;
  return (
    <div class="announcer" role="status" aria-live="polite">
      {said && <p class={said.isBad ? 'bad' : ''}>{said.text}</p>}
    </div>
  );
}
