import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { groupResource, rankOf, type Kind } from '../api/kind.ts';
import { Loading } from '../parts/notice.tsx';
import { NoNamespace } from '../parts/no-namespace.tsx';
import { counted } from '../parts/numbers.ts';
import { kinds } from '../state/catalog.ts';
import { isMissing } from '../state/namespaces.ts';
import { isAsking } from '../state/questions.ts';
import { areRightsKnown, may } from '../state/rights.ts';
import { tableHash } from '../state/route.ts';
import { sightOf } from '../state/sight.ts';
import { Health } from './health.tsx';
import { Home } from './home.tsx';
import { LiveLog } from './live-log.tsx';
import { MoreKinds } from './more-kinds.tsx';
import { OverviewModel } from './overview-model.ts';
import { leaveOverview, leftOverview } from './left-overview.ts';
import { KindChips, Tile } from './tile.tsx';

/** Kinds that are followed: a stream takes up to 100, and others need some. */
const MOST_FOLLOWED = 80;
/** Kinds that are counted at once though they are not followed; more are counted when they are seen. */
const MOST_COUNTED = 40;
/** How often the health is read. */
const HEALTH_EVERY_MS = 15_000;

/** Everything at a glance, live: of all namespaces, or of one. */
export function Overview({
  parameters: { namespace = '' },
}: {
  readonly parameters: Readonly<Record<string, string>>;
}): JSX.Element {
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Overview</h1>
        {namespace !== '' && <span class="dim">of namespace {namespace}</span>}
      </header>
      {areRightsKnown(namespace) ? <Seen key={namespace} namespace={namespace} /> : <Loading />}
    </section>
  );
}

/** What the user may see of a namespace. */
function Seen({ namespace }: { readonly namespace: string }): JSX.Element {
  const round = useSignal(0);
  const inPlace = useComputed(() =>
    sorted((kinds.value ?? []).filter((kind) => namespace === '' || kind.namespaced)),
  );
  const listed = useComputed(() =>
    inPlace.value.filter((kind) => sightOf(kind, namespace) === 'list'),
  );
  const byName = useComputed(() =>
    inPlace.value.filter((kind) => sightOf(kind, namespace) === 'names'),
  );
  const plan = useComputed(() => planOf(listed.value, namespace));
  const { followed, counted, more, unwatched, beyond } = plan.value;
  const model = useOverview(counted, followed, namespace);
  useEffect(() => {
    const timer = setInterval(() => (round.value += 1), HEALTH_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (isMissing(namespace)) return <NoNamespace name={namespace} />;
  if (listed.value.length === 0 && byName.value.length === 0) {
    return isAsking.value ? <Loading /> : <Home namespace={namespace} />;
  }

  const counts = model.counts.value;
  const full = counted.filter((kind) => (counts.get(groupResource(kind)) ?? 0) > 0);
  const empty = counted.filter((kind) => counts.get(groupResource(kind)) === 0);
  const failed = counted.filter((kind) => model.failures.value.has(groupResource(kind)));
  const [why] = model.failures.value.values();
  return (
    <div class="summary overview">
      <div class="column">
        <ul class="tiles">
          {full.map((kind) => (
            <Tile
              key={groupResource(kind)}
              kind={kind}
              count={counts.get(groupResource(kind))}
              hash={hashFor(kind, namespace)}
            />
          ))}
        </ul>
        {failed.length > 0 && (
          <p class="dim">
            {kindsText(failed)} could not be counted: {why}{' '}
            <button type="button" class="small" onClick={() => model.want(failed)}>
              Try again
            </button>
          </p>
        )}
        <KindChips
          title={`${kindsText(empty)} without objects`}
          kinds={empty}
          hashOf={(kind) => hashFor(kind, namespace)}
        />
        <MoreKinds kinds={more} model={model} hashOf={(kind) => hashFor(kind, namespace)} />
        <KindChips
          title={`${kindsText(byName.value)} that you may open by name, not list`}
          kinds={byName.value}
          hashOf={(kind) => hashFor(kind, namespace)}
        />
      </div>
      <div class="column">
        <Health round={round.value} />
        <LiveLog
          entries={model.entries}
          isListening={model.isListening}
          isFollowing={followed.length > 0}
          note={noteOf(beyond, unwatched)}
        />
      </div>
    </div>
  );
}

const hashFor = (kind: Kind, namespace: string): string =>
  tableHash(kind, { namespace: kind.namespaced ? namespace : '' });

const mayFollow = (kind: Kind, namespace: string): boolean =>
  kind.verbs.has('watch') && may('watch', kind, namespace);

/** What is done with each kind. */
interface Plan {
  readonly followed: readonly Kind[];
  /** Those that are followed, and a few others. */
  readonly counted: readonly Kind[];
  /** Those that are counted when they are seen. */
  readonly more: readonly Kind[];
  /** Those that the user may list but not watch. */
  readonly unwatched: readonly Kind[];
  /** How many could be followed, were they not too many. */
  readonly beyond: number;
}

function planOf(listed: readonly Kind[], namespace: string): Plan {
  const watched = new Set(listed.filter((kind) => mayFollow(kind, namespace)));
  const followed = [...watched].slice(0, MOST_FOLLOWED);
  const isFollowed = new Set(followed);
  const others = listed.filter((kind) => !isFollowed.has(kind));
  const isMany = others.length > MOST_COUNTED;
  return {
    followed,
    counted: isMany ? followed : listed,
    more: isMany ? others : [],
    unwatched: others.filter((kind) => kind.verbs.has('watch') && !watched.has(kind)),
    beyond: watched.size - followed.length,
  };
}

const kindsText = ({ length }: readonly Kind[]): string => counted(length, 'kind');

/** Kinds that a sentence names; of more it says the number. */
const MOST_NAMED = 3;

/** Which kinds the log leaves out, and why. */
function noteOf(beyond: number, unwatched: readonly Kind[]): string {
  const what =
    unwatched.length > MOST_NAMED
      ? kindsText(unwatched)
      : unwatched.map(({ kind }) => kind).join(', ');
  return [
    ...(beyond === 0
      ? []
      : [`Follows ${MOST_FOLLOWED} kinds, those of definitions first; ${beyond} more are not.`]),
    ...(what === '' ? [] : [`Not followed, since you may list but not watch: ${what}.`]),
  ].join(' ');
}

/** Follows what can be followed, and goes on with what is known when kinds come and go. */
function useOverview(
  counted: readonly Kind[],
  followed: readonly Kind[],
  namespace: string,
): OverviewModel {
  const before = useRef<OverviewModel>(undefined);
  const names = [...counted.map(groupResource), '', ...followed.map(groupResource)].join();
  const model = useMemo(() => {
    const left = before.current === undefined ? leftOverview(namespace) : undefined;
    const isSame = left?.names === names && !left.model.isClosed;
    const made = isSame
      ? left.model
      : new OverviewModel({ followed, namespace, before: before.current ?? left?.model });
    if (!isSame) left?.model.close();
    made.want(counted);
    before.current = made;
    return made;
  }, [names]);
  const last = useRef({ namespace, names, model });
  last.current = { namespace, names, model };
  useEffect(
    () => () => {
      // another one is shown instead
      if (before.current !== model) model.close();
    },
    [model],
  );
  useEffect(() => () => leaveOverview(last.current), []);
  return model;
}

function sorted(list: readonly Kind[]): Kind[] {
  return [...list].sort(
    (a, b) => rankOf(a.group) - rankOf(b.group) || a.kind.localeCompare(b.kind),
  );
}
