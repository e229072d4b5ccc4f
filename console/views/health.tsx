import type { JSX } from 'preact';
import { getJson, sendRaw } from '../api/http.ts';
import { at, listAt, textAt } from '../api/json.ts';
import type { KindName } from '../api/kind.ts';
import { useReading } from '../parts/reading.ts';
import { findKind } from '../state/catalog.ts';
import { may, mayGetPath } from '../state/rights.ts';
import { objectHash, tableHash } from '../state/route.ts';
import { ACTIVITY_PATH } from './activity.tsx';
import { failingOf, mayReadFailures, readFailures } from './failures.tsx';

/** One thing that can be well or not. */
interface Check {
  readonly name: string;
  readonly isWell: boolean;
  readonly note: string;
  readonly hash?: string;
}

const API_SERVICES: KindName = {
  group: 'apiregistration.cluster.io',
  version: 'v1',
  plural: 'apiservices',
};
const ADMISSION = { group: 'admissionregistration.cluster.io', version: 'v1' };
const WEBHOOKS = [
  ['mutatingwebhookconfigurations', 'MutatingWebhookConfiguration'],
  ['validatingwebhookconfigurations', 'ValidatingWebhookConfiguration'],
] as const;
const LOOPS_PATH = '/debug/loops';

/** How the server is: its own checks, loops, API services, and what takes part in writes. */
export function Health({ round }: { readonly round: number }): JSX.Element {
  const { state } = useReading(readAll, [round]);
  const groups = state.value.value ?? [];
  const hidden = PARTS.filter(({ isOffered }) => !isOffered()).map(({ what }) => what);
  return (
    <section class="card">
      <h2>Health</h2>
      {groups.length === 0 && <p class="dim">{state.value.error?.message ?? 'Reading…'}</p>}
      <ul class="health">
        {groups.map(({ title, hash, checks, note }) => {
          const ill = checks.filter(({ isWell }) => !isWell);
          return (
            <li key={title}>
              <span class={`state ${ill.length > 0 ? 'bad' : note === undefined ? 'good' : ''}`}>
                {note ?? (ill.length > 0 ? `${ill.length} not well` : 'well')}
              </span>
              {hash === undefined ? <strong>{title}</strong> : <a href={hash}>{title}</a>}
              <span class="dim">{checks.length > 0 && `${checks.length} checked`}</span>
              {ill.map((check) => (
                <p key={check.name}>
                  {check.hash === undefined ? check.name : <a href={check.hash}>{check.name}</a>}
                  <span class="dim"> {check.note}</span>
                </p>
              ))}
            </li>
          );
        })}
      </ul>
      {hidden.length > 0 && <p class="dim">You may not see: {hidden.join(', ')}.</p>}
    </section>
  );
}

interface Group {
  readonly title: string;
  readonly hash?: string;
  readonly checks: readonly Check[];
  /** In place of a judgement. */
  readonly note?: string;
}

/** What is looked at, where the user may see it. */
const PARTS = [
  { what: 'the server', isOffered: () => true, read: server },
  { what: 'loops', isOffered: () => mayGetPath(LOOPS_PATH), read: loops },
  { what: 'API services', isOffered: () => mayList(API_SERVICES), read: services },
  {
    what: 'webhooks',
    isOffered: () => WEBHOOKS.every(([plural]) => mayList({ ...ADMISSION, plural })),
    read: webhooks,
  },
] as const;

function mayList(name: KindName): boolean {
  const kind = findKind(name);
  return kind !== undefined && may('list', kind);
}

async function readAll(signal: AbortSignal): Promise<Group[]> {
  const parts = PARTS.filter(({ isOffered }) => isOffered()).map(({ read }) =>
    read(signal).catch(() => undefined),
  );
  return (await Promise.all(parts)).filter((group) => group !== undefined);
}

async function server(signal: AbortSignal): Promise<Group> {
  const { text } = await sendRaw('GET', '/readyz?verbose', { accept: 'text/plain', signal });
  const checks = [...text.matchAll(/^\[([+-])\](\S+) (.*)$/gm)].map(
    ([, mark, name = '', note = '']): Check => {
      return { name, isWell: mark === '+', note };
    },
  );
  return { title: 'Server and store', checks };
}

async function loops(signal: AbortSignal): Promise<Group> {
  const answer = await getJson(LOOPS_PATH, { signal });
  const checks = listAt(answer, 'loops').map((loop): Check => {
    return {
      name: textAt(loop, 'name'),
      isWell: Number(at(loop, 'failuresInARow') ?? 0) === 0,
      note: textAt(loop, 'lastError'),
    };
  });
  return { title: 'Loops', checks };
}

async function services(signal: AbortSignal): Promise<Group> {
  const list = await getJson(`/apis/${API_SERVICES.group}/v1/apiservices?managedFields=omit`, {
    signal,
  });
  const checks = listAt(list, 'items').map((service): Check => {
    const available = listAt(service, 'status', 'conditions').find(
      (each) => textAt(each, 'type') === 'Available',
    );
    const name = textAt(service, 'metadata', 'name');
    return {
      ...{ name, isWell: textAt(available, 'status') === 'True' },
      ...{ note: textAt(available, 'message'), hash: objectHash(API_SERVICES, '', name) },
    };
  });
  return { title: 'API services', hash: tableHash(API_SERVICES), checks };
}

async function webhooks(signal: AbortSignal): Promise<Group> {
  const mayRead = mayGetPath(ACTIVITY_PATH);
  const [items, failures, ...lists] = await Promise.all([
    mayRead
      ? getJson(ACTIVITY_PATH, { signal }).then(
          (page) => listAt(page, 'items'),
          () => [],
        )
      : [],
    readFailures(signal),
    ...WEBHOOKS.map(([plural]) =>
      getJson(`/apis/${ADMISSION.group}/v1/${plural}?fields=webhooks`, { signal }),
    ),
  ]);
  const checks = WEBHOOKS.flatMap(([, kind], i) =>
    listAt(lists[i], 'items').flatMap((configuration) =>
      listAt(configuration, 'webhooks').map((each): Check => {
        const [name, webhook] = [textAt(configuration, 'metadata', 'name'), textAt(each, 'name')];
        const failing = failingOf({ kind, name, webhook }, items, failures);
        const note = failing?.why ?? '';
        return { name: webhook, isWell: failing === undefined, note, hash: '#/admission' };
      }),
    ),
  );
  const untold = mayRead || mayReadFailures() ? {} : { note: String(checks.length) };
  return {
    ...{ title: 'Webhooks', hash: '#/admission', checks },
    ...(checks.length === 0 ? { note: 'none' } : untold),
  };
}
