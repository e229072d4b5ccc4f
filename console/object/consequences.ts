import type { Kind } from '../api/kind.ts';
import { contentsOf, type Contents } from './contents.ts';
import type { Dependent } from './dependents.ts';
import { allDescendants, descendantsOf, type Descendants } from './descendants.ts';
import { instancesOf, type Instances } from './instances.ts';
import { sumOf } from './kind-counts.ts';
import { unreadOf } from '../api/lists.ts';

/** An object that is to be deleted. */
export interface Target {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What a deletion takes with it. */
export interface Consequences {
  /** Of namespaces: what they hold. */
  readonly contents: Contents | undefined;
  /** Of definitions: the objects of their kinds. */
  readonly instances: readonly Instances[];
  /** What these own: it goes whatever becomes of what the definition owns. */
  readonly ofInstances: Descendants;
  /** What the objects own, apart from what they hold. */
  readonly owned: Descendants;
  /** Only the first of many objects were looked into. */
  readonly isPart: boolean;
}

/** Namespaces and definitions that are looked into. */
const MOST_OPENED = 20;
/** Namespaces that are searched each; with more of them all are. */
const MOST_SEARCHED = 8;

/** Deleting one also deletes what it contains. */
export function isNamespace({ group, plural }: Kind): boolean {
  return group === '' && plural === 'namespaces';
}

/**
 * Deleting one also deletes all objects of its kind. Its group is asked for by the
 * neutral name.
 */
export function isDefinition({ group, plural }: Kind): boolean {
  return group === 'apiextensions.cluster.io' && plural === 'customresourcedefinitions';
}

/**
 * What would go with these objects of a kind.
 *
 * @throws Refused, Unreachable
 */
export async function consequencesOf(
  kind: Kind,
  targets: readonly Target[],
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<Consequences> {
  const owned = await ownedBy(targets, kinds, signal);
  const isPart = (isNamespace(kind) || isDefinition(kind)) && targets.length > MOST_OPENED;
  if (isNamespace(kind)) {
    const names = targets.map(({ name }) => name);
    return {
      contents: await contentsOfAll(names, kinds, signal),
      ...{ instances: [], ofInstances: NONE, owned: outside(owned, names), isPart },
    };
  }
  const instances: Instances[] = [];
  if (isDefinition(kind)) {
    for (const { name } of targets.slice(0, MOST_OPENED)) {
      instances.push(await instancesOf(name, kinds, signal));
    }
  }
  const uids = instances.flatMap((each) => each.uids);
  const found = await descendantsOf(uids, kinds, '', signal);
  const areMore = instances.some(({ count = 0, uids: first }) => count > first.length);
  const ofInstances = { ...found, isMore: found.isMore || areMore };
  return { contents: undefined, instances, ofInstances, owned, isPart };
}

const NONE = allDescendants([]);

async function ownedBy(
  targets: readonly Target[],
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<Descendants> {
  const spaces = [...new Set(targets.map(({ namespace }) => namespace))];
  if (spaces.length > MOST_SEARCHED) {
    return descendantsOf(uidsOf(targets), kinds, '', signal);
  }
  const all: Descendants[] = [];
  // the objects of one namespace own objects of this namespace only
  for (const space of spaces) {
    const here = targets.filter(({ namespace }) => namespace === space);
    all.push(await descendantsOf(uidsOf(here), kinds, space, signal));
  }
  return allDescendants(all);
}

const uidsOf = (targets: readonly Target[]): string[] => targets.map(({ uid }) => uid);

async function contentsOfAll(
  names: readonly string[],
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<Contents> {
  const all: Contents[] = [];
  for (const name of names.slice(0, MOST_OPENED)) {
    const { counts, unread } = await contentsOf(kinds, name, signal);
    const inFull = (each: string): string => (names.length === 1 ? each : `${name}/${each}`);
    all.push({
      counts: counts.map((each) => ({ ...each, names: each.names.map(inFull) })),
      unread,
    });
  }
  return {
    counts: sumOf(all.map(({ counts }) => counts)),
    unread: unreadOf(all.map(({ unread }) => unread)),
  };
}

/** Without what goes with the namespaces in any case. */
function outside(owned: Descendants, namespaces: readonly string[]): Descendants {
  const isOutside = ({ namespace }: Dependent): boolean => !namespaces.includes(namespace);
  return {
    ...owned,
    direct: owned.direct.filter(isOutside),
    going: owned.going.filter(isOutside),
    shared: owned.shared.filter(isOutside),
  };
}
