import type { JsonObject } from '../api/json.ts';
import type { Steps } from '../api/steps.ts';
import type { ApiObject } from '../api/object.ts';
import type { Typed } from '../schema/shape.ts';
import { BuiltinCodec } from './builtin-codec.ts';
import {
  ALL_VERBS,
  type Column,
  type Renaming,
  type ResourceDefinition,
  type SecondForm,
  type Strategy,
  type Subresources,
  type Verb,
} from './definition.ts';

/** What a built-in kind has to say of itself; built-in kinds have one version. */
interface BuiltinKind<T extends ApiObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** All of them unless said. */
  readonly verbs?: readonly Verb[];
  /** By which objects are decoded, and so what `strategy` and `subresources` can rely on. */
  readonly schema: Typed<T>;
  /** Completes a decoded object in place. Must be idempotent. */
  readonly defaults?: (object: JsonObject) => void;
  /** In place of `defaults`, where filling them in may take long. */
  readonly defaultSteps?: (object: JsonObject) => Steps<void>;
  readonly strategy: Strategy<T>;
  readonly columns: readonly Column[];
  readonly selectableFields?: ReadonlyMap<string, (object: JsonObject) => string>;
  readonly subresources?: Subresources<T>;
  readonly deprecation?: string;
  readonly ttlSeconds?: number;
  readonly deleteReturnsObject?: boolean;
  readonly computed?: boolean;
  readonly renamed?: Renaming;
  readonly formOf?: SecondForm;
  readonly givesWay?: true;
  readonly aliasOnly?: true;
}

/** The definition of a built-in kind. */
export function builtinDefinition<T extends ApiObject>(kind: BuiltinKind<T>): ResourceDefinition {
  return {
    group: kind.group,
    names: {
      plural: kind.plural,
      singular: kind.kind.toLowerCase(),
      kind: kind.kind,
      listKind: `${kind.kind}List`,
      shortNames: kind.shortNames ?? [],
      categories: kind.categories ?? [],
    },
    namespaced: kind.namespaced,
    builtin: true,
    versions: [
      {
        name: kind.version,
        served: true,
        deprecation: kind.deprecation,
        codec: new BuiltinCodec(kind),
        columns: kind.columns,
        selectableFields: kind.selectableFields ?? new Map(),
        subresources: (kind.subresources ?? {}) as Subresources,
        schema: () => kind.schema,
      },
    ],
    storageVersion: kind.version,
    verbs: kind.verbs ?? ALL_VERBS,
    strategy: kind.strategy as Strategy,
    ...(kind.ttlSeconds === undefined ? {} : { ttlSeconds: kind.ttlSeconds }),
    ...(kind.deleteReturnsObject === undefined
      ? {}
      : { deleteReturnsObject: kind.deleteReturnsObject }),
    ...(kind.computed === undefined ? {} : { computed: kind.computed }),
    ...(kind.renamed === undefined ? {} : { renamed: kind.renamed }),
    ...(kind.formOf === undefined ? {} : { formOf: kind.formOf }),
    ...(kind.givesWay === undefined ? {} : { givesWay: kind.givesWay }),
    ...(kind.aliasOnly === undefined ? {} : { aliasOnly: kind.aliasOnly }),
  };
}
