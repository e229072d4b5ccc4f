import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../api/names.ts';
import type { CallEstimator } from '../types/call-estimate.ts';
import { constantEstimate } from '../cost/estimators.ts';
import { Range } from '../types/range.ts';
import { declareFunction, memberOverload, type FunctionDeclaration } from '../types/declaration.ts';
import { BOOL, STRING, structType, type Typed } from '../value/type.ts';
import { sizeOf, STRING_COST } from '../value/size.ts';
import { CelError, CelObject, type CelValue } from '../value/value.ts';
import type { Library } from './library.ts';
import type { CelType } from '../value/cel-type.ts';

/** Who asks: the requesting user, or a service account that the expression names. */
type AuthorizationSubject =
  | { kind: 'requester' }
  | { kind: 'serviceAccount'; namespace: string; name: string };

/** A question to the authorizer, about a path of the API or about a resource. */
export type AuthorizationQuery = { subject: AuthorizationSubject; verb: string } & (
  | { path: string }
  | {
      group: string;
      resource: string;
      subresource: string;
      namespace: string;
      name: string;
      fieldSelector: string;
      labelSelector: string;
    }
);

export interface AuthorizationDecision {
  allowed: boolean;
  reason: string;
  /** Set when the authorizer itself failed. */
  error?: string;
}

/** Answers at once: an expression cannot wait. */
type Authorize = (query: AuthorizationQuery) => AuthorizationDecision;

const PREFIX = 'kubernetes.authorization';
export const AUTHORIZER_TYPE: Typed<CelAuthorizer> = structType(`${PREFIX}.Authorizer`);
const PATH_CHECK_TYPE: Typed<PathCheck> = structType(`${PREFIX}.PathCheck`);
const GROUP_CHECK_TYPE: Typed<GroupCheck> = structType(`${PREFIX}.GroupCheck`);
export const RESOURCE_CHECK_TYPE: Typed<ResourceCheck> = structType(`${PREFIX}.ResourceCheck`);
const DECISION_TYPE: Typed<Decision> = structType(`${PREFIX}.Decision`);

abstract class Builder extends CelObject {
  override equals(other: CelValue): boolean {
    return this === other;
  }
}

/** The variable `authorizer`. */
export class CelAuthorizer extends Builder {
  override readonly type = AUTHORIZER_TYPE;
  readonly authorize: Authorize;
  readonly subject: AuthorizationSubject;

  constructor(authorize: Authorize, subject: AuthorizationSubject = { kind: 'requester' }) {
    super();
    this.authorize = authorize;
    this.subject = subject;
  }

  group(group: string): GroupCheck {
    return new GroupCheck(this, group);
  }
}

class PathCheck extends Builder {
  override readonly type = PATH_CHECK_TYPE;
  readonly authorizer: CelAuthorizer;
  readonly path: string;

  constructor(authorizer: CelAuthorizer, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheck extends Builder {
  override readonly type = GROUP_CHECK_TYPE;
  readonly authorizer: CelAuthorizer;
  readonly name: string;

  constructor(authorizer: CelAuthorizer, name: string) {
    super();
    this.authorizer = authorizer;
    this.name = name;
  }

  resource(resource: string): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...EMPTY_CHECK, group: this.name, resource });
  }
}

interface ResourceAttributes {
  group: string;
  resource: string;
  subresource: string;
  namespace: string;
  name: string;
  fieldSelector: string;
  labelSelector: string;
}

const EMPTY_CHECK: ResourceAttributes = {
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  fieldSelector: '',
  labelSelector: '',
};

/** A check under construction, and the variable `authorizer.requestResource`. */
export class ResourceCheck extends Builder {
  override readonly type = RESOURCE_CHECK_TYPE;
  readonly authorizer: CelAuthorizer;
  readonly attributes: ResourceAttributes;

  constructor(authorizer: CelAuthorizer, attributes: Partial<ResourceAttributes>) {
    super();
    this.authorizer = authorizer;
    this.attributes = { ...EMPTY_CHECK, ...attributes };
  }
}

class Decision extends Builder {
  override readonly type = DECISION_TYPE;
  readonly decision: AuthorizationDecision;

  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }
}

/** At most two checks fit the budget of an expression. */
const CHECK_COST = 350_000;
const check = {
  cost: (): number => CHECK_COST,
  estimate: (() => ({ cost: Range.fixed(CHECK_COST) })) satisfies CallEstimator,
};
const nominal = { estimate: constantEstimate };

function serviceAccount(authorizer: CelAuthorizer, namespace: string, name: string): CelValue {
  if (dns1123SubdomainErrors(name).length > 0) return new CelError('Invalid service account name');
  if (dns1123LabelErrors(namespace).length > 0) {
    return new CelError('Invalid service account namespace');
  }
  return new CelAuthorizer(authorizer.authorize, { kind: 'serviceAccount', namespace, name });
}

function notEmpty(what: string, text: string, make: () => CelValue): CelValue {
  return text.trim() === '' ? new CelError(`${what} must not be empty`) : make();
}

function refine(name: 'subresource' | 'namespace' | 'name'): FunctionDeclaration {
  return declareFunction(
    name,
    memberOverload(
      `resourcecheck_${name}`,
      [RESOURCE_CHECK_TYPE, STRING],
      RESOURCE_CHECK_TYPE,
      (checked, value) =>
        new ResourceCheck(checked.authorizer, { ...checked.attributes, [name]: value }),
      nominal,
    ),
  );
}

function decisionPart(
  name: string,
  result: CelType,
  get: (decision: AuthorizationDecision) => CelValue,
): FunctionDeclaration {
  return declareFunction(
    name,
    memberOverload(
      `decision_${name}`,
      [DECISION_TYPE],
      result,
      ({ decision }) => get(decision),
      nominal,
    ),
  );
}

/** A selector becomes at most one requirement in two characters, each of which takes memory. */
function selectorCost(length: Range): Range {
  // A list and a struct for each requirement; see the costs of constructing them.
  const requirements = length.scale(0.5).scale(10 + 40);
  return Range.fixed(10).add(length.scale(STRING_COST)).add(requirements);
}

function selector(name: 'fieldSelector' | 'labelSelector'): FunctionDeclaration {
  return declareFunction(
    name,
    memberOverload(
      `authorizer_${name.toLowerCase()}`,
      [RESOURCE_CHECK_TYPE, STRING],
      RESOURCE_CHECK_TYPE,
      (checked, value) =>
        new ResourceCheck(checked.authorizer, { ...checked.attributes, [name]: value }),
      {
        cost: (_checked, text) => Number(selectorCost(Range.fixed(sizeOf(text))).max),
        estimate: ({ args: [text], sizeOf: size }) =>
          text === undefined ? undefined : { cost: selectorCost(size(text)) },
      },
    ),
  );
}

/** Authorization checks for the one who makes a request. */
export const AUTHORIZER_LIBRARY: Library = {
  functions: [
    declareFunction(
      'path',
      memberOverload(
        'authorizer_path',
        [AUTHORIZER_TYPE, STRING],
        PATH_CHECK_TYPE,
        (authorizer, path) => notEmpty('path', path, () => new PathCheck(authorizer, path)),
        nominal,
      ),
    ),
    declareFunction(
      'group',
      memberOverload(
        'authorizer_group',
        [AUTHORIZER_TYPE, STRING],
        GROUP_CHECK_TYPE,
        (authorizer, group) => authorizer.group(group),
        nominal,
      ),
    ),
    declareFunction(
      'serviceAccount',
      memberOverload(
        'authorizer_serviceaccount',
        [AUTHORIZER_TYPE, STRING, STRING],
        AUTHORIZER_TYPE,
        serviceAccount,
        nominal,
      ),
    ),
    declareFunction(
      'resource',
      memberOverload(
        'groupcheck_resource',
        [GROUP_CHECK_TYPE, STRING],
        RESOURCE_CHECK_TYPE,
        (group, resource) => notEmpty('resource', resource, () => group.resource(resource)),
        nominal,
      ),
    ),
    refine('subresource'),
    refine('namespace'),
    refine('name'),
    selector('fieldSelector'),
    selector('labelSelector'),
    declareFunction(
      'check',
      memberOverload(
        'pathcheck_check',
        [PATH_CHECK_TYPE, STRING],
        DECISION_TYPE,
        ({ authorizer: { authorize, subject }, path }, verb) =>
          new Decision(authorize({ subject, verb, path })),
        check,
      ),
      memberOverload(
        'resourcecheck_check',
        [RESOURCE_CHECK_TYPE, STRING],
        DECISION_TYPE,
        ({ authorizer: { authorize, subject }, attributes }, verb) =>
          new Decision(authorize({ subject, verb, ...attributes })),
        check,
      ),
    ),
    decisionPart('allowed', BOOL, ({ allowed }) => allowed),
    decisionPart('reason', STRING, ({ reason }) => reason),
    decisionPart('errored', BOOL, ({ error }) => error !== undefined),
    decisionPart('error', STRING, ({ error }) => error ?? ''),
  ],
};
