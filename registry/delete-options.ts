import { badRequest } from '../api/api-error.ts';
import { fieldError, type FieldError } from '../api/field-error.ts';
import { isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { stringifyJson } from '../api/json-write.ts';
import { booleanParameter, integerParameter, type Query } from '../api/query.ts';
import { dryRunErrors, invalidOptions, META_GROUP } from './write-options.ts';

export type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  /** The older form of the policy. */
  readonly orphanDependents: boolean | undefined;
  readonly preconditions: {
    readonly uid: string | undefined;
    readonly resourceVersion: string | undefined;
  };
  /** Deletes an object that cannot be read, skipping everything else. */
  readonly ignoreReadError: boolean;
}

export const DEFAULT_DELETE_OPTIONS: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  propagationPolicy: undefined,
  orphanDependents: undefined,
  preconditions: { uid: undefined, resourceVersion: undefined },
  ignoreReadError: false,
};

const POLICIES: readonly string[] = ['Background', 'Foreground', 'Orphan'];

/**
 * Options of a delete, of the query and of the body. kube-apiserver takes the
 * body's alone when there is one, so that `dryRun=All` in the query is lost to a
 * body of `{}`, and the object with it: here both count, and must agree where
 * both say something. `ofCollection`: the query's resourceVersion is that of the
 * list, and no precondition.
 *
 * @throws ApiError 400 when they cannot be read or contradict each other, 422
 *   when they are wrong
 */
export function deleteOptionsFrom(
  query: Query,
  body: JsonValue | undefined,
  ofCollection = false,
): DeleteOptions {
  const asked = rawFromQuery(query, ofCollection);
  const raw = body === undefined ? asked : agreed(asked, rawFromBody(body));
  const errors = [...dryRunErrors(raw.dryRun), ...policyErrors(raw)];
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
  return {
    ...raw,
    dryRun: raw.dryRun.length > 0,
    propagationPolicy: raw.propagationPolicy as PropagationPolicy | undefined,
    ignoreReadError: raw.ignoreReadError ?? false,
  };
}

type RawOptions = Omit<DeleteOptions, 'dryRun' | 'propagationPolicy' | 'ignoreReadError'> & {
  dryRun: readonly string[];
  propagationPolicy: string | undefined;
  ignoreReadError: boolean | undefined;
};

const IGNORE_READ_ERROR = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** @throws ApiError 400 that names the first option about which they differ */
function agreed(query: RawOptions, body: RawOptions): RawOptions {
  const one = <T>(name: string, a: T | undefined, b: T | undefined): T | undefined => {
    if (a === undefined || b === undefined || a === b) return b ?? a;
    throw badRequest(
      `${name} is ${JSON.stringify(a)} in the query and ${JSON.stringify(b)} in the body: they must be the same`,
    );
  };
  return {
    // the only value there is
    dryRun: [...query.dryRun, ...body.dryRun],
    gracePeriodSeconds: one(
      'gracePeriodSeconds',
      query.gracePeriodSeconds,
      body.gracePeriodSeconds,
    ),
    propagationPolicy: one('propagationPolicy', query.propagationPolicy, body.propagationPolicy),
    orphanDependents: one('orphanDependents', query.orphanDependents, body.orphanDependents),
    preconditions: {
      uid: one('preconditions.uid', query.preconditions.uid, body.preconditions.uid),
      resourceVersion: one(
        'preconditions.resourceVersion',
        query.preconditions.resourceVersion,
        body.preconditions.resourceVersion,
      ),
    },
    ignoreReadError: one(IGNORE_READ_ERROR, query.ignoreReadError, body.ignoreReadError),
  };
}

function rawFromQuery(query: Query, ofCollection: boolean): RawOptions {
  return {
    dryRun: query.getAll('dryRun'),
    gracePeriodSeconds: integerParameter(query, 'gracePeriodSeconds'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    orphanDependents: booleanParameter(query, 'orphanDependents'),
    preconditions: {
      uid: filled(query, 'uid'),
      resourceVersion: ofCollection ? undefined : filled(query, 'resourceVersion'),
    },
    ignoreReadError: booleanParameter(query, IGNORE_READ_ERROR),
  };
}

/** Source: apimachinery meta/v1, Convert_url_Values_To_v1_DeleteOptions. */
function filled(query: Query, name: 'uid' | 'resourceVersion'): string | undefined {
  const text = query.get(name) ?? '';
  return text === '' ? undefined : text;
}

function rawFromBody(sent: JsonValue): RawOptions {
  // Go's decoder leaves a struct as it is for null, so that these are options without anything
  const body = sent ?? {};
  if (!isObject(body)) throw badRequest('expected a DeleteOptions object');
  const kind = body.kind ?? '';
  if (kind !== '' && kind !== 'DeleteOptions') {
    throw badRequest(`expected DeleteOptions, got ${stringifyJson(kind)}`);
  }
  const preconditions = body.preconditions ?? {};
  if (!isObject(preconditions)) throw wrongType('preconditions', 'an object');
  return {
    dryRun: strings(body, 'dryRun'),
    gracePeriodSeconds: integer(body, 'gracePeriodSeconds'),
    propagationPolicy: string(body, 'propagationPolicy'),
    orphanDependents: boolean(body, 'orphanDependents'),
    preconditions: {
      uid: string(preconditions, 'uid', 'preconditions.'),
      resourceVersion: string(preconditions, 'resourceVersion', 'preconditions.'),
    },
    ignoreReadError: boolean(body, IGNORE_READ_ERROR),
  };
}

function policyErrors({ propagationPolicy, orphanDependents }: RawOptions): FieldError[] {
  if (propagationPolicy === undefined) return [];
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(fieldError.invalid('propagationPolicy', propagationPolicy, why));
  }
  if (!POLICIES.includes(propagationPolicy)) {
    errors.push(fieldError.notSupported('propagationPolicy', propagationPolicy, POLICIES));
  }
  return errors;
}

function wrongType(path: string, expected: string): Error {
  return badRequest(`DeleteOptions cannot be read: ${path} must be ${expected}`);
}

function string(object: JsonObject, key: string, prefix = ''): string | undefined {
  const value = object[key] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw wrongType(prefix + key, 'a string');
}

function boolean(object: JsonObject, key: string): boolean | undefined {
  const value = object[key] ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  throw wrongType(key, 'a boolean');
}

function integer(object: JsonObject, key: string): number | undefined {
  const value = object[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (typeof value === 'bigint') return Number(value);
  throw wrongType(key, 'an integer');
}

function strings(object: JsonObject, key: string): readonly string[] {
  const value = object[key] ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw wrongType(key, 'a list of strings');
}

/** The options as admission shows them. */
export function deleteOptionsObject(options: DeleteOptions): JsonObject {
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions } = options;
  return {
    kind: 'DeleteOptions',
    apiVersion: `${META_GROUP}/v1`,
    ...(options.dryRun ? { dryRun: ['All'] } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(preconditions.uid === undefined && preconditions.resourceVersion === undefined
      ? {}
      : {
          preconditions: {
            ...(preconditions.uid === undefined ? {} : { uid: preconditions.uid }),
            ...(preconditions.resourceVersion === undefined
              ? {}
              : { resourceVersion: preconditions.resourceVersion }),
          },
        }),
  };
}
