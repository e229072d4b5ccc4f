import { signal } from '@preact/signals';
import { discover } from '../../client/discovery.ts';
import { kindsOf } from '../api/discovery.ts';
import { client, failureOf } from '../api/http.ts';
import { sameKind, type Kind, type KindName } from '../api/kind.ts';
import { follow, refOf } from './live.ts';
import { may } from './rights.ts';

/** All kinds that the server serves; undefined until discovery has been read. */
export const kinds = signal<readonly Kind[] | undefined>(undefined);

/** Reads discovery. @throws Refused, Unreachable */
export async function readKinds(): Promise<void> {
  const served = await discover(client).catch((error: unknown) => {
    throw failureOf(error);
  });
  kinds.value = kindsOf(served).sort(
    (a, b) => a.kind.localeCompare(b.kind) || a.group.localeCompare(b.group),
  );
}

/** What decides which kinds there are. */
const DEFINITIONS: readonly KindName[] = [
  { group: 'apiextensions.cluster.io', version: 'v1', plural: 'customresourcedefinitions' },
  { group: 'apiregistration.cluster.io', version: 'v1', plural: 'apiservices' },
];
/** Pause between a change of definitions and the next look at discovery. */
const SETTLE_MS = 700;
/** How often those look at discovery who may not watch definitions. */
const LOOK_EVERY_MS = 60_000;

let leave = (): void => undefined;

/** Keeps the kinds up to date while definitions come and go, for the user who is signed in now. */
export function followKinds(): void {
  leave();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const change = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void readKinds().catch(() => undefined), SETTLE_MS);
  };
  const watched = DEFINITIONS.filter((name) => {
    const kind = findKind(name);
    return kind !== undefined && may('watch', kind);
  });
  const ends = watched.map((name) =>
    follow({ ref: refOf(name), isFromNow: true, as: 'Table' }, ({ type }) => {
      if (type !== 'ERROR' && type !== 'SYNCED') change();
    }),
  );
  const look = setInterval(() => {
    const isWanted = watched.length < DEFINITIONS.length && document.visibilityState === 'visible';
    if (isWanted) change();
  }, LOOK_EVERY_MS);
  leave = () => {
    for (const end of ends) end();
    clearInterval(look);
    clearTimeout(timer);
  };
}

/** The kind of an address; undefined: the server does not serve it. */
export function findKind(name: KindName): Kind | undefined {
  const all = kinds.value ?? [];
  return (
    all.find((kind) => sameKind(kind, name)) ??
    all.find((kind) => kind.group === name.group && kind.plural === name.plural)
  );
}
