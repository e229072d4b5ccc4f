import type { Clock } from '../api/clock.ts';
import { inTurns } from '../api/steps.ts';
import type { Codec } from '../resources/codec.ts';
import type { ServedResource } from './served-resource.ts';

type Use = 'read' | 'write';
/** Verbs for which objects are judged. */
const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch']);

/** What is being prepared now, so that requests which need the same do it once. */
const running: Readonly<Record<Use, WeakMap<Codec, Promise<void>>>> = {
  read: new WeakMap(),
  write: new WeakMap(),
};

/**
 * Has what a verb needs of a resource made, its schema, rules and patterns, in turns;
 * undefined when it is there, as nearly always. Problems are left to those who
 * use it.
 */
export function prepared(
  { definition, version }: ServedResource,
  verb: string,
  clock: Clock,
): Promise<void> | undefined {
  if (definition.builtin) return undefined;
  const own = preparedCodec(version.codec, WRITES.has(verb) ? 'write' : 'read', clock);
  if (definition.storageVersion === version.name) return own;
  const storage = definition.versions.find(({ name }) => name === definition.storageVersion);
  const stored = storage && preparedCodec(storage.codec, 'read', clock);
  return own === undefined || stored === undefined ? (own ?? stored) : own.then(() => stored);
}

function preparedCodec(codec: Codec, use: Use, clock: Clock): Promise<void> | undefined {
  const known = running[use].get(codec);
  if (known !== undefined) return known;
  const steps = codec.prepareSteps?.(use);
  if (steps === undefined) return undefined;
  const made = Promise.resolve()
    .then(() => inTurns(steps, clock))
    .then(
      () => undefined,
      () => undefined,
    )
    .finally(() => running[use].delete(codec));
  running[use].set(codec, made);
  return made;
}
