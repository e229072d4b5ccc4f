import { getPath, isObject, type JsonObject } from '../../api/json.ts';
import { parseTime } from '../../api/time.ts';
import { crdSummary } from '../../registry/crd-summary.ts';
import { isTerminating } from '../../registry/namespaces.ts';
import type { Entry } from '../../watch/entry.ts';
import { API_SERVICES_PREFIX } from '../kinds.ts';
import type { Occurrence, Regarding } from './occurrence.ts';
import { CRD_PREFIX, NAMESPACES_PREFIX } from '../../registry/prefixes.ts';

/** A condition that an operator should know about. */
export interface Problem {
  readonly occurrence: Occurrence;
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
  /** It is worth an Event when it has lasted so long. */
  readonly graceMs: number;
}

/** What a condition is called in Events. */
interface Watched {
  readonly type: string;
  readonly status: 'True' | 'False';
  /** Undefined: any. */
  readonly reasons?: readonly string[];
  readonly action: string;
}

/** A deletion takes a moment: it is stuck when it says so for longer. */
const STUCK_MS = 30_000;

const OF_NAMESPACES: readonly Watched[] = [
  'NamespaceDeletionDiscoveryFailure',
  'NamespaceDeletionContentFailure',
  'NamespaceContentRemaining',
  'NamespaceFinalizersRemaining',
].map((type) => ({ type, status: 'True', action: 'Deleting' }));

const OF_DEFINITIONS: readonly Watched[] = [
  { type: 'NamesAccepted', status: 'False', action: 'AcceptingNames' },
  { type: 'Established', status: 'False', reasons: ['InvalidCABundle'], action: 'Establishing' },
  {
    type: 'Terminating',
    status: 'True',
    reasons: ['InstanceDeletionFailed', 'InstanceDeletionCheck'],
    action: 'Deleting',
  },
];

const OF_API_SERVICES: readonly Watched[] = [
  { type: 'Available', status: 'False', action: 'Probing' },
];

/** Reads the problems of an object from its conditions, by the store prefix that it is under. */
export const PROBLEM_SOURCES: ReadonlyMap<string, (entry: Entry) => readonly Problem[]> = new Map([
  [NAMESPACES_PREFIX, ofNamespace],
  [CRD_PREFIX, ofDefinition],
  [API_SERVICES_PREFIX, ofApiService],
]);

function ofNamespace(entry: Entry): Problem[] {
  if (entry.corrupt || !isTerminating(entry)) return [];
  const object = entry.object();
  const regarding = regardingOf(entry, 'v1', 'Namespace', object.metadata.uid);
  return problems(regarding, conditionsOf(object), OF_NAMESPACES, STUCK_MS);
}

function ofDefinition(entry: Entry): Problem[] {
  const crd = crdSummary(entry);
  if (crd === undefined) return [];
  const regarding = regardingOf(
    entry,
    'apiextensions.cluster.io/v1',
    'CustomResourceDefinition',
    crd.uid,
  );
  const conditions = (crd.status.conditions ?? []) as unknown as readonly JsonObject[];
  return problems(regarding, conditions, OF_DEFINITIONS, 0);
}

function ofApiService(entry: Entry): Problem[] {
  if (entry.corrupt) return [];
  const object = entry.object();
  // a version that is served here is always available
  if (getPath(object, 'spec', 'service') === undefined) return [];
  const { uid } = object.metadata;
  const regarding = regardingOf(entry, 'apiregistration.cluster.io/v1', 'APIService', uid);
  return problems(regarding, conditionsOf(object), OF_API_SERVICES, 0);
}

function regardingOf({ name }: Entry, apiVersion: string, kind: string, uid = ''): Regarding {
  return { apiVersion, kind, namespace: '', name, uid };
}

function conditionsOf(object: JsonObject): readonly JsonObject[] {
  const conditions = getPath(object, 'status', 'conditions');
  return Array.isArray(conditions) ? conditions.filter(isObject) : [];
}

function problems(
  regarding: Regarding,
  conditions: readonly JsonObject[],
  all: readonly Watched[],
  graceMs: number,
): Problem[] {
  const found: Problem[] = [];
  for (const { type, status, reasons, action } of all) {
    const condition = conditions.find((one) => one.type === type && one.status === status);
    if (condition === undefined) continue;
    const [reason, note] = [textOf(condition.reason), textOf(condition.message)];
    if (reason === '' || (reasons !== undefined && !reasons.includes(reason))) continue;
    const since = parseTime(textOf(condition.lastTransitionTime)) ?? 0;
    found.push({
      occurrence: { regarding, type: 'Warning', reason, action, note },
      since,
      graceMs,
    });
  }
  return found;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
