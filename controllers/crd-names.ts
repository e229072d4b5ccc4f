import { deepEqual } from '../api/json.ts';
import { withCondition, type NewCondition } from '../resources/apiextensions/crd-conditions.ts';
import type { CrdNames, CrdStatus } from '../resources/apiextensions/crd-types.ts';
import type { CrdSummary } from '../registry/crd-summary.ts';

export interface StatusDecision {
  readonly crd: CrdSummary;
  readonly status: CrdStatus;
}

/**
 * Decides which definition of a group gets which names, and returns the statuses
 * to write. Names in use stay with their definition; a free name goes to the
 * definition that was written first. Two servers may decide at the same time:
 * each decides by its view of the log and writes on the condition that nothing
 * has changed since, and a server that sees the later definition sees the
 * earlier one, too. So no name is given away twice.
 *
 * `now`: RFC 3339. Source: behaviours 7.7.
 */
export function decideNames(crds: readonly CrdSummary[], now: string): StatusDecision[] {
  const taken = new TakenNames();
  for (const crd of crds) taken.add(crd.name, crd.status.acceptedNames);
  const asking = crds.filter(({ deletionTimestamp }) => deletionTimestamp === undefined);
  asking.sort((a, b) => (a.revision < b.revision ? -1 : 1));
  const decisions: StatusDecision[] = [];
  for (const crd of asking) {
    const { accepted, conflict } = acceptNames(crd, taken);
    taken.add(crd.name, accepted);
    const status = withConditions({ ...crd.status, acceptedNames: accepted }, crd, conflict, now);
    if (!deepEqual(status, crd.status)) {
      decisions.push({ crd, status });
    }
  }
  return decisions;
}

/** True for a definition whose names are all accepted and that is served; other definitions do not change that. */
export function isSettled({ names, status }: CrdSummary): boolean {
  const isTrue = (type: string): boolean =>
    status.conditions?.some((c) => c.type === type && c.status === 'True') === true;
  return isTrue('NamesAccepted') && isTrue('Established') && deepEqual(names, status.acceptedNames);
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** What becomes of each name; of several conflicts the last one is told. */
function acceptNames(
  { name: owner, names, status }: CrdSummary,
  taken: TakenNames,
): { accepted: CrdNames; conflict: Conflict | undefined } {
  const accepted: CrdNames = { ...status.acceptedNames };
  let conflict: Conflict | undefined;
  const refuse = (reason: string, message: string): void => void (conflict = { reason, message });
  for (const field of ['plural', 'singular'] as const) {
    const wanted = names[field] ?? '';
    if (taken.hasResource(wanted, owner)) refuse(REASONS[field], inUse(wanted));
    else setName(accepted, field, wanted);
  }
  const refused = (names.shortNames ?? []).filter((name) => taken.hasResource(name, owner));
  if (refused.length > 0) refuse(REASONS.shortNames, allInUse(refused));
  else setList(accepted, 'shortNames', names.shortNames);
  for (const field of ['kind', 'listKind'] as const) {
    const wanted = names[field] ?? '';
    if (taken.hasKind(wanted, owner)) refuse(REASONS[field], inUse(wanted));
    else setName(accepted, field, wanted);
  }
  setList(accepted, 'categories', names.categories);
  return { accepted, conflict };
}

const REASONS = {
  plural: 'PluralConflict',
  singular: 'SingularConflict',
  shortNames: 'ShortNamesConflict',
  kind: 'KindConflict',
  listKind: 'ListKindConflict',
} as const;

const inUse = (name: string): string => `${JSON.stringify(name)} is already in use`;

function allInUse(names: readonly string[]): string {
  const texts = [...new Set(names.map(inUse))];
  return texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
}

function setName(
  names: CrdNames,
  field: 'plural' | 'singular' | 'kind' | 'listKind',
  name: string,
): void {
  if (name !== '' || field === 'plural' || field === 'kind') names[field] = name;
  else Reflect.deleteProperty(names, field);
}

function setList(
  names: CrdNames,
  field: 'shortNames' | 'categories',
  list: string[] | undefined,
): void {
  if (list === undefined) Reflect.deleteProperty(names, field);
  else names[field] = list;
}

function withConditions(
  status: CrdStatus,
  crd: CrdSummary,
  conflict: Conflict | undefined,
  now: string,
): CrdStatus {
  const names: NewCondition =
    conflict === undefined
      ? {
          type: 'NamesAccepted',
          status: 'True',
          reason: 'NoConflicts',
          message: 'no conflicts found',
        }
      : { type: 'NamesAccepted', status: 'False', ...conflict };
  const accepted = withCondition(status, names, now);
  const isEstablished = status.conditions?.some(
    (condition) => condition.type === 'Established' && condition.status === 'True',
  );
  if (isEstablished === true) return accepted;
  return withCondition(accepted, establishedCondition(crd, conflict === undefined), now);
}

/** A definition that is established stays so; this is for those that are not. */
function establishedCondition({ hasBrokenBundle }: CrdSummary, accepted: boolean): NewCondition {
  if (!accepted) {
    return {
      type: 'Established',
      status: 'False',
      reason: 'NotAccepted',
      message: 'not all names are accepted',
    };
  }
  return hasBrokenBundle
    ? {
        type: 'Established',
        status: 'False',
        reason: 'InvalidCABundle',
        message: 'The conversion webhook CABundle is invalid',
      }
    : {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      };
}

/** Names in use in a group, and by whom: resources (plural, singular, short names) and kinds apart. */
class TakenNames {
  readonly #resources = new Map<string, Set<string>>();
  readonly #kinds = new Map<string, Set<string>>();

  add(owner: string, names: CrdNames): void {
    const { plural, singular = '', shortNames = [], kind, listKind = '' } = names;
    for (const name of [plural, singular, ...shortNames]) note(this.#resources, name, owner);
    for (const name of [kind, listKind]) note(this.#kinds, name, owner);
  }

  hasResource(name: string, butNotOf: string): boolean {
    return isTaken(this.#resources, name, butNotOf);
  }

  hasKind(name: string, butNotOf: string): boolean {
    return isTaken(this.#kinds, name, butNotOf);
  }
}

function note(names: Map<string, Set<string>>, name: string, owner: string): void {
  if (name === '') return;
  const owners = names.get(name);
  if (owners === undefined) names.set(name, new Set([owner]));
  else owners.add(owner);
}

function isTaken(names: Map<string, Set<string>>, name: string, butNotOf: string): boolean {
  for (const owner of names.get(name) ?? []) if (owner !== butNotOf) return true;
  return false;
}
