import fc from 'fast-check';
import type { PropagationPolicy } from '../../registry/delete-options.ts';

/** What a user of the model does to its objects, which have numbers. */
export type UserAct =
  | { act: 'own'; object: number; owner: number; block: boolean }
  | { act: 'disown'; object: number }
  /** An owner that there never was. */
  | { act: 'invent'; object: number; owner: number }
  | { act: 'create'; object: number; owner: number; block: boolean }
  /** A finalizer that only users take off. */
  | { act: 'hold'; object: number }
  | { act: 'release'; object: number }
  | { act: 'delete'; object: number; policy: PropagationPolicy };

export type Act =
  | UserAct
  | { act: 'wait'; ms: number }
  /** The user acts while collectors are at work; each act some turns after the one before. */
  | { act: 'race'; ms: number; acts: { turns: number; what: UserAct }[] }
  | { act: 'restart' }
  | { act: 'lag'; on: boolean };

export const OBJECTS = 10;

const object = fc.nat(OBJECTS - 1);
const related = { object, owner: object, block: fc.boolean() };
const POLICIES = ['Background', 'Background', 'Foreground', 'Orphan'] as const;

function weighted<T extends UserAct['act'], R extends object>(
  weight: number,
  act: T,
  rest: { [K in keyof R]: fc.Arbitrary<R[K]> },
): { weight: number; arbitrary: fc.Arbitrary<{ act: T } & R> } {
  const arbitrary = fc.record(rest).map((fields) => ({ act, ...fields }));
  return { weight, arbitrary };
}

const userAct: fc.Arbitrary<UserAct> = fc.oneof(
  weighted(5, 'own', related),
  weighted(4, 'create', related),
  weighted(1, 'disown', { object }),
  weighted(1, 'invent', { object, owner: object }),
  weighted(1, 'hold', { object }),
  weighted(1, 'release', { object }),
  weighted(4, 'delete', {
    object,
    policy: fc.constantFrom<PropagationPolicy[]>(...POLICIES),
  }),
);

const race: fc.Arbitrary<Act> = fc.record({
  act: fc.constant('race' as const),
  ms: fc.constantFrom(60, 150),
  acts: fc.array(fc.record({ turns: fc.nat(40), what: userAct }), { minLength: 2, maxLength: 6 }),
});

export const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 16, arbitrary: userAct },
  { weight: 5, arbitrary: race },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('wait' as const), ms: fc.constantFrom(10, 60, 300) }),
  },
  { weight: 1, arbitrary: fc.constant({ act: 'restart' as const }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('lag' as const), on: fc.boolean() }) },
);
