import { isObject, type JsonObject } from '../../api/json.ts';
import { SemVer } from '../../api/semver.ts';
import { parseMicroTime, parseTime } from '../../api/time.ts';
import type { Entry } from '../../watch/entry.ts';
import { isHeld } from '../held.ts';
import type { Seen } from '../writer.ts';

/** A candidate that has not renewed for so long is not elected. Source: behaviours 9.9. */
export const VALID_MS = 1_800_000;

/** What an election has to know of a LeaseCandidate. Times are wall clocks in milliseconds. */
export interface Candidate extends Seen {
  readonly namespace: string;
  readonly name: string;
  readonly leaseName: string;
  readonly strategy: string;
  readonly binary: SemVer | undefined;
  readonly emulation: SemVer | undefined;
  readonly renewedAt: number | undefined;
  readonly pingedAt: number | undefined;
  readonly createdAt: number;
  /** It is being deleted, and waits for finalizers. */
  readonly isHeld: boolean;
}

/** Undefined: the object cannot be read. */
export function candidateOf(entry: Entry): Candidate | undefined {
  if (entry.corrupt) return undefined;
  const object = entry.object();
  const { metadata } = object;
  const { uid = '', creationTimestamp } = metadata;
  const spec = isObject(object.spec) ? object.spec : {};
  return {
    uid,
    revision: entry.revision,
    namespace: entry.namespace,
    name: entry.name,
    leaseName: textOf(spec, 'leaseName'),
    strategy: textOf(spec, 'strategy'),
    binary: SemVer.parse(textOf(spec, 'binaryVersion')),
    emulation: SemVer.parse(textOf(spec, 'emulationVersion')),
    renewedAt: timeOf(spec, 'renewTime'),
    pingedAt: timeOf(spec, 'pingTime'),
    createdAt: parseTime(creationTimestamp ?? '') ?? 0,
    isHeld: isHeld(metadata),
  };
}

/** May it be elected, as far as its times tell? */
export function isEligible({ renewedAt }: Candidate, now: number): boolean {
  return renewedAt !== undefined && renewedAt + VALID_MS >= now;
}

function textOf(spec: JsonObject, field: string): string {
  const value = spec[field];
  return typeof value === 'string' ? value : '';
}

function timeOf(spec: JsonObject, field: string): number | undefined {
  const micros = parseMicroTime(textOf(spec, field));
  return micros === undefined ? undefined : Number(micros / 1000n);
}
