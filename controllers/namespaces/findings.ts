import type { Finding } from '../conditions.ts';

/** What a round has found in a namespace that is being emptied. */
export interface Survey {
  /** Content that cannot be looked at, one sentence each. */
  readonly undiscovered: readonly string[];
  /** Deletions that failed, one sentence each. */
  readonly failures: readonly string[];
  readonly remaining: readonly Remaining[];
}

/** Objects of one resource that are still there. */
export interface Remaining {
  /** `gadgets.example.com`. */
  readonly resource: string;
  readonly count: number;
  /** Names of the objects that wait for a finalizer, by finalizer. */
  readonly heldBy: ReadonlyMap<string, readonly string[]>;
}

/** Objects that a message names per finalizer. */
const MAX_NAMED = 100;
const MAX_MESSAGE = 16_384;

const OK: readonly Finding[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'False',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    status: 'False',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    status: 'False',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  {
    type: 'NamespaceContentRemaining',
    status: 'False',
    reason: 'ContentRemoved',
    message: 'All content successfully removed',
  },
  {
    type: 'NamespaceFinalizersRemaining',
    status: 'False',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
];

/**
 * The conditions that say how far a deletion has got, and exactly what it waits
 * for. kube-apiserver names no objects: the names come behind its text. Source:
 * behaviours 9.3.
 */
export function findingsOf(survey: Survey): Finding[] {
  const problems = [
    problem('NamespaceDeletionDiscoveryFailure', 'DiscoveryFailed', discoveryMessage(survey)),
    problem('NamespaceDeletionContentFailure', 'ContentDeletionFailed', failureMessage(survey)),
    problem('NamespaceContentRemaining', 'SomeResourcesRemain', remainingMessage(survey)),
    problem('NamespaceFinalizersRemaining', 'SomeFinalizersRemain', finalizersMessage(survey)),
  ];
  return OK.map((ok) => problems.find((found) => found?.type === ok.type) ?? ok);
}

function problem(type: string, reason: string, message: string): Finding | undefined {
  if (message === '') return undefined;
  return { type, status: 'True', reason, message: message.slice(0, MAX_MESSAGE) };
}

function discoveryMessage({ undiscovered }: Survey): string {
  if (undiscovered.length === 0) return '';
  return `Discovery failed for some groups, ${undiscovered.length} failing: ${[...undiscovered].sort().join(', ')}`;
}

function failureMessage({ failures }: Survey): string {
  if (failures.length === 0) return '';
  return `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(', ')}`;
}

function remainingMessage({ remaining }: Survey): string {
  if (remaining.length === 0) return '';
  const texts = remaining.map(
    ({ resource, count }) => `${resource} has ${count} resource instances`,
  );
  return `Some resources are remaining: ${texts.sort().join(', ')}`;
}

function finalizersMessage({ remaining }: Survey): string {
  const objects = new Map<string, string[]>();
  for (const { resource, heldBy } of remaining) {
    for (const [finalizer, names] of heldBy) {
      const list = objects.get(finalizer) ?? [];
      for (const name of names) list.push(`${resource}/${name}`);
      objects.set(finalizer, list);
    }
  }
  if (objects.size === 0) return '';
  const sorted = [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
  const counts = sorted.map(
    ([finalizer, { length }]) => `${finalizer} in ${length} resource instances`,
  );
  const names = sorted.map(([finalizer, list]) => `${finalizer}: ${named(list)}`);
  return `Some content in the namespace has finalizers remaining: ${counts.join(', ')}. They are: ${names.join('; ')}`;
}

function named(objects: readonly string[]): string {
  const shown = [...objects].sort().slice(0, MAX_NAMED).join(', ');
  const more = objects.length - MAX_NAMED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
