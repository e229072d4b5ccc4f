import type { CallEstimator } from './call-estimate.ts';
import type { Meter } from '../value/meter.ts';
import type { CelValue } from '../value/value.ts';
import type { ValuesOf } from '../value/type.ts';
import type { CelType } from '../value/cel-type.ts';

/** One signature of a function with what it does and what it costs. */
export interface Overload {
  readonly id: string;
  /** Types of the arguments; a member's receiver is the first. */
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly member: boolean;
  readonly implementation: Implementation;
  /** Steps that a call takes, charged before it is made. One step when absent. */
  readonly cost?: (...args: CelValue[]) => number;
  /** Worst-case cost of a call whose arguments are not known yet. */
  readonly estimate?: CallEstimator;
}

/**
 * What a function does, called with values of the declared types only, never
 * with errors. A metered one charges for its own work as it goes.
 */
type Implementation =
  | { metered: false; call: (...args: CelValue[]) => CelValue }
  | { metered: true; call: (meter: Meter, ...args: CelValue[]) => CelValue };

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

interface OverloadOptions<Args extends readonly CelType[]> {
  cost?: (...args: ValuesOf<Args>) => number;
  estimate?: CallEstimator;
}

type Call<Args extends readonly CelType[]> = (...args: ValuesOf<Args>) => CelValue;
type MeteredCall<Args extends readonly CelType[]> = (
  meter: Meter,
  ...args: ValuesOf<Args>
) => CelValue;

/** A signature called as `name(a, b)`. */
export function globalOverload<const Args extends readonly CelType[]>(
  id: string,
  args: Args,
  result: CelType,
  call: Call<Args>,
  options: OverloadOptions<Args> = {},
): Overload {
  const implementation = { metered: false, call } as unknown as Implementation;
  return { id, args, result, member: false, implementation, ...costs(options) };
}

/** A signature called as `a.name(b)`. */
export function memberOverload<const Args extends readonly CelType[]>(
  id: string,
  args: Args,
  result: CelType,
  call: Call<Args>,
  options: OverloadOptions<Args> = {},
): Overload {
  return { ...globalOverload(id, args, result, call, options), member: true };
}

/** A global signature whose work depends on the depth of its arguments. */
export function meteredGlobal<const Args extends readonly CelType[]>(
  id: string,
  args: Args,
  result: CelType,
  call: MeteredCall<Args>,
  options: OverloadOptions<Args> = {},
): Overload {
  const implementation = { metered: true, call } as unknown as Implementation;
  return { id, args, result, member: false, implementation, ...costs(options) };
}

/** Like {@link meteredGlobal}, called as `a.name(b)`. */
export function meteredMember<const Args extends readonly CelType[]>(
  id: string,
  args: Args,
  result: CelType,
  call: MeteredCall<Args>,
  options: OverloadOptions<Args> = {},
): Overload {
  return { ...meteredGlobal(id, args, result, call, options), member: true };
}

/** The planner checks every argument against the declared types, so the cast only forgets. */
function costs<Args extends readonly CelType[]>(
  options: OverloadOptions<Args>,
): Pick<Overload, 'cost' | 'estimate'> {
  return options as Pick<Overload, 'cost' | 'estimate'>;
}

/** A function of a library by the name that expressions use, with its overloads. */
export function declareFunction(name: string, ...overloads: Overload[]): FunctionDeclaration {
  return { name, overloads };
}

/** Functions of several libraries by name; overloads of one name come together. */
export function functionTable(
  declarations: Iterable<FunctionDeclaration>,
): ReadonlyMap<string, FunctionDeclaration> {
  const table = new Map<string, FunctionDeclaration>();
  for (const { name, overloads } of declarations) {
    const known = table.get(name)?.overloads ?? [];
    const fresh = overloads.filter(({ id }) => !known.some((overload) => overload.id === id));
    table.set(name, { name, overloads: [...known, ...fresh] });
  }
  return table;
}
