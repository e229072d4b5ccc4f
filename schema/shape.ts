import type { JsonValue } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { StructuralSchema } from './structure/structural.ts';

/*
 * What TypeScript knows of a schema that the DSL has made: the type of its values
 * after decoding (typed/decode.ts, typed/zero.ts), so that a kind is described
 * once. Nothing of it is there at run time.
 */

declare const SHAPE: unique symbol;

/**
 * What a field without a value shows: `empty` are left out unless they are
 * required, `nothing` too, but show as null; a `struct` and a `moment` (a time, or
 * any JSON) are always there, the latter as null.
 */
export type Zero = 'empty' | 'nothing' | 'struct' | 'moment';

/** A schema whose values are of type T, as a field with the options O. */
export type Typed<T, Z extends Zero = Zero, O = unknown> = StructuralSchema & {
  readonly [SHAPE]?: { readonly own: T; readonly zero: Z; readonly options: O };
};

type Shape<S> = S extends { readonly [SHAPE]?: infer X }
  ? NonNullable<X> extends {
      readonly own: infer T;
      readonly zero: infer Z;
      readonly options: infer O;
    }
    ? { own: T; zero: Z; options: O }
    : { own: JsonValue; zero: 'empty'; options: unknown }
  : { own: JsonValue; zero: 'empty'; options: unknown };

/** The values that a schema describes: `type Lease = ValueOf<typeof schema>`. */
export type ValueOf<S> = Shape<S>['own'];
export type ZeroOf<S> = Shape<S>['zero'] & Zero;

type OmitBy<O> = O extends { omit: infer M } ? M : O extends { required: true } ? 'never' : 'empty';

/** Whether the field is in every object that was decoded. */
type IsAlways<Z, O> =
  OmitBy<O> extends 'never'
    ? true
    : O extends { pointer: true }
      ? false
      : OmitBy<O> extends 'empty'
        ? Z extends 'struct' | 'moment'
          ? true
          : false
        : false;

type MayBeNull<Z, O> = O extends { pointer: true }
  ? true
  : Z extends 'nothing' | 'moment'
    ? true
    : false;

type AlwaysIn<F> = {
  [K in keyof F]: IsAlways<Shape<F[K]>['zero'], Shape<F[K]>['options']> extends true ? K : never;
}[keyof F];

/** A field that is always there is null where its zero value is. */
type AlwaysValue<S> =
  MayBeNull<Shape<S>['zero'], Shape<S>['options']> extends true ? ValueOf<S> | null : ValueOf<S>;

/** The values of a struct with these fields. */
export type StructOf<F> = Flat<
  { [K in AlwaysIn<F>]: AlwaysValue<F[K]> } & {
    [K in Exclude<keyof F, AlwaysIn<F>>]?: ValueOf<F[K]>;
  }
>;

type Flat<T> = { [K in keyof T]: T[K] };

/** The objects of a kind with these fields of its own. */
export type ObjectOf<F> = ApiObject & StructOf<F>;
