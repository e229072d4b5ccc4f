import { readFileSync } from 'node:fs';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';

/** With these every kind is served. */
export const GATES =
  'CoordinatedLeaderElection=true,DynamicResourceAllocation=true,TaintTolerationComparisonOperators=true';
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

interface Sent {
  readonly path: string;
  readonly object: JsonObject;
  /** The object as clients of Kubernetes send it, in base64; written by the definitions of Kubernetes' own API. */
  readonly protobuf: string;
}

export const BODIES = JSON.parse(
  readFileSync(new URL('protobuf-bodies.json', import.meta.url), 'utf8'),
) as Sent[];

/** What differs between two requests in any case. */
const OWN: ReadonlySet<string> = new Set([
  'uid',
  'creationTimestamp',
  'time',
  'lastTransitionTime',
  'resourceVersion',
]);

/** Without what differs between two requests in any case. */
export function comparable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !OWN.has(key))
      .map(([key, item]) => [key, comparable(item)]),
  );
}
