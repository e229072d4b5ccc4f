import type { Bindings } from '../../cel/program.ts';
import { fromJson } from '../../cel/value/json.ts';
import type { CelValue } from '../../cel/value/value.ts';
import type { JsonObject } from '../../api/json.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { ResourceVersion } from '../kind-access.ts';
import type { Authorizations } from './authorization.ts';
import { namespaceValues, requestValues } from './request-values.ts';
import type { Variables } from './variables.ts';

/** What expressions look at: a request in the version that a webhook or policy asks for. */
export interface ExpressionInput {
  readonly attributes: AdmissionAttributes;
  readonly matched: ResourceVersion;
  /** Undefined on DELETE. */
  readonly object: JsonObject | undefined;
  /** Undefined on CREATE. */
  readonly oldObject: JsonObject | undefined;
  readonly authorizations: Authorizations;
  /** The parameter of a policy; undefined: the binding has none. */
  readonly params?: JsonObject | undefined;
  /** The namespace of the request, for policies; undefined for cluster scope. */
  readonly namespace?: JsonObject | undefined;
}

/** The variables of an expression; values are made when an expression asks for them, once. */
export class AdmissionBindings implements Bindings {
  readonly #input: ExpressionInput;
  readonly #variables: Variables | undefined;
  #request: CelValue | undefined;
  #namespace: CelValue | undefined;

  constructor(input: ExpressionInput, variables?: (bindings: AdmissionBindings) => Variables) {
    this.#input = input;
    this.#variables = variables?.(this);
  }

  get(name: string): CelValue | undefined {
    const { object, oldObject, params, authorizations, attributes } = this.#input;
    switch (name) {
      case 'object':
        return fromJson(object ?? null);
      case 'oldObject':
        return fromJson(oldObject ?? null);
      case 'params':
        return fromJson(params ?? null);
      case 'request':
        this.#request ??= fromJson(requestValues(attributes, this.#input.matched));
        return this.#request;
      case 'namespaceObject':
        return this.#namespaceObject();
      case 'authorizer':
        return authorizations.variable;
      case 'authorizer.requestResource':
        return authorizations.requestResource(attributes);
      case 'variables':
        return this.#variables;
      default:
        return undefined;
    }
  }

  #namespaceObject(): CelValue {
    const { namespace } = this.#input;
    if (namespace === undefined) return null;
    this.#namespace ??= fromJson(namespaceValues(namespace));
    return this.#namespace;
  }
}
