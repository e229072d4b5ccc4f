import type { SizeHook } from '../cel/cost/sizes.ts';
import { Range } from '../cel/types/range.ts';
import type { Environment } from '../cel/environment.ts';
import { DEVICE_ENVIRONMENT } from '../cel/environments.ts';
import { QUANTITY_TYPE } from '../cel/libraries/quantity.ts';
import { ANY, BOOL, mapType, STRING, structType } from '../cel/value/type.ts';
import type { CelType } from '../cel/value/cel-type.ts';

/** What selectors of devices know of a device, and how large its parts can be. */

/** A type whose values have at most `size` characters or entries. */
interface Bounded {
  readonly type: CelType;
  readonly size: number;
  readonly keys?: Bounded;
  readonly values?: Bounded;
  /** Fields with names that are known; others of a map are its values. */
  readonly fields?: ReadonlyMap<string, Bounded>;
}

const MAX_DRIVER = 63;
const MAX_PREFIX = 63;
const MAX_NAME = 32;
const MAX_VALUE = 64;
const MAX_ENTRIES = 32;

const text = (size: number): Bounded => ({ type: STRING, size });
const grouped = (value: Bounded): Bounded => mapOf(text(MAX_PREFIX), mapOf(text(MAX_NAME), value));

function mapOf(keys: Bounded, values: Bounded): Bounded {
  return { type: mapType(keys.type, values.type), size: MAX_ENTRIES, keys, values };
}

/** What an attribute holds is up to its driver. */
const ATTRIBUTE: Bounded = { type: ANY, size: MAX_VALUE };

const FIELDS: ReadonlyMap<string, Bounded> = new Map([
  ['driver', text(MAX_DRIVER)],
  ['attributes', grouped(ATTRIBUTE)],
  ['capacity', grouped({ type: QUANTITY_TYPE, size: 0 })],
  ['allowMultipleAllocations', { type: BOOL, size: 1 }],
]);

function deviceOf(fields: ReadonlyMap<string, Bounded>): Bounded {
  const type = structType('kubernetes.DRADevice', (name) => fields.get(name)?.type);
  return { type, size: 0, fields };
}

const DEVICE = deviceOf(FIELDS);

/** The environment of selectors; devices that several may use are a feature of their own. */
export function deviceEnvironment(consumableCapacity: boolean): Environment {
  const device = consumableCapacity
    ? DEVICE
    : deviceOf(new Map([...FIELDS].filter(([name]) => name !== 'allowMultipleAllocations')));
  return DEVICE_ENVIRONMENT.extend({ variables: { device: device.type } });
}

/** Source: k8s.io/dynamic-resource-allocation cel/compile.go. */
export const deviceSizes: SizeHook = (path) => {
  if (path[0] !== 'device') return undefined;
  let part: Bounded | undefined = DEVICE;
  for (const step of path.slice(1)) {
    part = stepInto(part, step);
    if (part === undefined) return undefined;
  }
  return new Range(0n, BigInt(part.size));
};

function stepInto(part: Bounded, step: string): Bounded | undefined {
  if (step === '@keys') return part.keys;
  if (step === '@items' || step === '@values') return part.values;
  // whatever an attribute is called, its size has the same bound
  return part.fields?.get(step) ?? (part.values === ATTRIBUTE ? ATTRIBUTE : undefined);
}
