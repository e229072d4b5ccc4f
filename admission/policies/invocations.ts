import { ApiError } from '../../api/api-error.ts';
import type { JsonObject } from '../../api/json.ts';
import { isNamespace, type AdmissionAttributes } from '../attributes.ts';
import type { ResourceVersion } from '../kind-access.ts';
import type { NamespaceReader } from '../namespaces.ts';
import type { ShownRequest } from '../shown-request.ts';
import { ParamError, paramsOf, type ParamObjects, type ParamSource } from './params.ts';
import type { Binding, BoundPolicy, Policy } from './policy.ts';

/** What happens to a request for which something is configured wrongly. */
interface ConfigurationProblem<P extends Policy> {
  readonly policy: P;
  /** Undefined: the policy itself is wrong. */
  readonly binding: Binding | undefined;
  readonly message: string;
}

/** A policy that is to be evaluated for a request, with one parameter. */
export interface PolicyInvocation<P extends Policy> {
  readonly policy: P;
  readonly binding: Binding;
  readonly matched: ResourceVersion;
  readonly param: JsonObject | undefined;
}

export type Selected<P extends Policy> =
  | { readonly invocation: PolicyInvocation<P> }
  | { readonly problem: ConfigurationProblem<P> };

export interface InvocationParts {
  readonly namespaces: NamespaceReader;
  readonly params: ParamSource;
}

/**
 * Which policies are evaluated for a request, by which binding and with which
 * parameters, in order. Source: k8s.io/apiserver
 * pkg/admission/plugin/policy/generic/policy_dispatcher.go.
 */
export async function* invocationsOf<P extends Policy>(
  bound: readonly BoundPolicy<P>[],
  attributes: AdmissionAttributes,
  shown: ShownRequest,
  { namespaces, params }: InvocationParts,
): AsyncGenerator<Selected<P>, void> {
  for (const { policy, bindings } of bound) {
    const wrong = (error: unknown, binding?: Binding): Selected<P> => ({
      problem: { policy, binding, message: problemText(error, binding) },
    });
    let matched: ResourceVersion | undefined;
    let objects: ParamObjects | undefined;
    try {
      matched = await policy.match.matched(attributes, shown, namespaces);
      if (matched === undefined) continue;
      objects = paramObjects(policy, params);
    } catch (error) {
      yield wrong(error);
      continue;
    }
    for (const binding of bindings) {
      try {
        if (binding.match !== undefined) {
          const there = await binding.match.matched(attributes, shown, namespaces);
          if (there === undefined) continue;
        }
        const namespace = isNamespace(attributes) ? '' : attributes.namespace;
        for (const param of await paramsOf(objects, binding.paramRef, namespace)) {
          yield { invocation: { policy, binding, matched, param } };
        }
      } catch (error) {
        yield wrong(error, binding);
      }
    }
  }
}

function paramObjects({ paramKind }: Policy, params: ParamSource): ParamObjects | undefined {
  if (paramKind === undefined) return undefined;
  const objects = params(paramKind);
  if (objects !== undefined) return objects;
  const { apiVersion = '', kind = '' } = paramKind;
  throw new ParamError(
    `failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`,
  );
}

/** @throws errors that the configuration has not caused */
function problemText(error: unknown, binding: Binding | undefined): string {
  if (!(error instanceof ParamError) && !(error instanceof ApiError)) throw error;
  return `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}`;
}

/** The variable `namespaceObject`; undefined for objects of cluster scope, namespaces among them. */
export async function namespaceObjectOf(
  attributes: AdmissionAttributes,
  namespaces: NamespaceReader,
): Promise<JsonObject | undefined> {
  const { namespace } = attributes;
  if (namespace === '' || isNamespace(attributes)) return undefined;
  const state = namespaces.cached(namespace) ?? (await namespaces.live(namespace));
  return state?.object;
}
