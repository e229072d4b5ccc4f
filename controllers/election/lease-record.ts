import { isObject, type JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import { microTimeOf, parseTime } from '../../api/time.ts';

/** The spec of a Lease, as loops read it; whatever has another type counts as absent. */
export interface LeaseRecord {
  readonly holder: string;
  readonly durationSeconds: number | undefined;
  /** Milliseconds since 1970. */
  readonly renewedAt: number | undefined;
  readonly transitions: number;
  readonly strategy: string | undefined;
  readonly preferredHolder: string | undefined;
}

/** What the spec of a Lease says. */
export function leaseRecord(lease: JsonObject): LeaseRecord {
  const spec = isObject(lease.spec) ? lease.spec : {};
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' ? value : undefined;
  const number = (value: unknown): number | undefined =>
    typeof value === 'number' ? value : undefined;
  const renewTime = text(spec.renewTime);
  return {
    holder: text(spec.holderIdentity) ?? '',
    durationSeconds: number(spec.leaseDurationSeconds),
    renewedAt: renewTime === undefined ? undefined : parseTime(renewTime),
    transitions: number(spec.leaseTransitions) ?? 0,
    strategy: text(spec.strategy),
    preferredHolder: text(spec.preferredHolder),
  };
}

/**
 * Until when the lease is valid, in milliseconds, by the wall clock of its
 * holder; -Infinity when it was never renewed.
 */
export function expiresAt({ renewedAt, durationSeconds }: LeaseRecord): number {
  if (renewedAt === undefined || durationSeconds === undefined) return -Infinity;
  return renewedAt + durationSeconds * 1000;
}

/** The spec of a Lease, made when there is none, to be changed in place. */
export function leaseSpec(lease: ApiObject): JsonObject {
  const { spec } = lease;
  if (isObject(spec)) return spec;
  const made: JsonObject = {};
  lease.spec = made;
  return made;
}

/** Sets the holder. A change of holder counts as a transition; freeing the lease does not. */
export function setHolder(
  spec: JsonObject,
  { holder, durationSeconds, now }: { holder: string; durationSeconds: number; now: number },
): void {
  const before = leaseRecord({ spec });
  if (before.holder !== holder && holder !== '') {
    const first = before.holder === '' && spec.leaseTransitions === undefined;
    spec.leaseTransitions = first ? 0 : before.transitions + 1;
    spec.acquireTime = microTimeOf(now);
  }
  spec.holderIdentity = holder;
  spec.leaseDurationSeconds = durationSeconds;
  spec.renewTime = microTimeOf(now);
}
