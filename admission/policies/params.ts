import type { JsonObject } from '../../api/json.ts';
import { labelSelectorOf } from '../../api/selectors/label-spec.ts';
import type { LabelSelector } from '../../api/selectors/labels.ts';
import type { ParamRefValue } from '../../resources/admissionregistration/policy-binding-schema.ts';
import type { PolicySpec } from '../../resources/admissionregistration/policy-schema.ts';

export type ParamKindValue = NonNullable<PolicySpec['paramKind']>;

/** The objects of one kind, as this server knows them. */
export interface ParamObjects {
  readonly namespaced: boolean;
  /** Not to be changed. `namespace` is empty for kinds of cluster scope. */
  get(namespace: string, name: string): Promise<JsonObject | undefined>;
  /** In the order of their names. */
  list(namespace: string, selector: LabelSelector): Promise<readonly JsonObject[]>;
}

/** Finds the objects that hold parameters; undefined: the kind is not served. */
export type ParamSource = (kind: ParamKindValue) => ParamObjects | undefined;

/** Where parameters are missing, or cannot be told: failurePolicy decides what comes of it. */
export class ParamError extends Error {
  override readonly name = 'ParamError';
}

/**
 * The parameters with which a policy is evaluated for one binding: once for each
 * of them. Undefined in the list: without any. Source: behaviours 8.13;
 * k8s.io/apiserver pkg/admission/plugin/policy/generic, CollectParams.
 *
 * @throws ParamError
 */
export async function paramsOf(
  objects: ParamObjects | undefined,
  ref: ParamRefValue | undefined,
  requestNamespace: string,
): Promise<readonly (JsonObject | undefined)[]> {
  if (objects === undefined || ref === undefined) return [undefined];
  const namespace = namespaceOf(objects, ref, requestNamespace);
  const params = await chosen(objects, ref, namespace);
  if (params.length === 0 && ref.parameterNotFoundAction === 'Deny') {
    throw new ParamError('no params found for policy binding with `Deny` parameterNotFoundAction');
  }
  return params;
}

function namespaceOf(
  { namespaced }: ParamObjects,
  { namespace = '' }: ParamRefValue,
  requestNamespace: string,
): string {
  if (!namespaced) {
    if (namespace === '') return '';
    throw new ParamError(
      'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    );
  }
  if (namespace !== '') return namespace;
  if (requestNamespace !== '') return requestNamespace;
  throw new ParamError(
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  );
}

async function chosen(
  objects: ParamObjects,
  { name = '', selector }: ParamRefValue,
  namespace: string,
): Promise<readonly JsonObject[]> {
  if (name !== '') {
    const param = await objects.get(namespace, name);
    return param === undefined ? [] : [param];
  }
  if (selector === undefined) throw new ParamError('one of name or selector must be provided');
  const parsed = labelSelectorOf(selector);
  if ('error' in parsed) throw new ParamError(parsed.error);
  return objects.list(namespace, parsed.selector);
}
