import { getPath, isObject, type JsonObject } from '../../api/json.ts';

/** Whose token it is. */
export interface Account {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The kinds of objects that a token may be bound to, as its claims name them, and their resources. */
export const BOUND_KINDS: ReadonlyMap<string, { claim: string; resource: string }> = new Map([
  ['Secret', { claim: 'secret', resource: 'secrets' }],
  ['Node', { claim: 'node', resource: 'nodes' }],
]);

/** The object with whose end the token ends. */
export interface BoundObject {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** Under this claim stands what the token says of this API; clients look for it literally. */
const PRIVATE_CLAIM = 'kubernetes.io';
const USER_PREFIX = 'system:serviceaccount:';

/** The user that a token of the account stands for: `system:serviceaccount:<namespace>:<name>`. */
export function userNameOf({ namespace, name }: Account): string {
  return `${USER_PREFIX}${namespace}:${name}`;
}

/** The groups of that user. */
export function groupsOf({ namespace }: Account): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** The claim with which a token names its account, and the object that it is bound to. */
export function privateClaims(account: Account, bound: BoundObject | undefined): JsonObject {
  const { namespace, name, uid } = account;
  const claim = bound === undefined ? undefined : BOUND_KINDS.get(bound.kind)?.claim;
  return {
    [PRIVATE_CLAIM]: {
      namespace,
      serviceaccount: { name, uid },
      ...(bound === undefined || claim === undefined
        ? {}
        : { [claim]: { name: bound.name, uid: bound.uid } }),
    },
  };
}

/** The other direction; undefined: the token says nothing of the kind. */
export function accountIn(claims: JsonObject): Account | undefined {
  const text = (...path: string[]): string => {
    const value = getPath(claims, PRIVATE_CLAIM, ...path);
    return typeof value === 'string' ? value : '';
  };
  const account = {
    namespace: text('namespace'),
    name: text('serviceaccount', 'name'),
    uid: text('serviceaccount', 'uid'),
  };
  const isComplete = Object.values(account).every((value) => value !== '');
  return isComplete && claims['sub'] === userNameOf(account) ? account : undefined;
}

/** The objects that the claims of a token say it is bound to; what is malformed is left out. */
export function boundObjectsIn(claims: JsonObject): BoundObject[] {
  return [...BOUND_KINDS].flatMap(([kind, { claim }]) => {
    const object = getPath(claims, PRIVATE_CLAIM, claim);
    if (object === undefined || !isObject(object)) return [];
    const { name, uid } = object;
    return [
      { kind, name: typeof name === 'string' ? name : '', uid: typeof uid === 'string' ? uid : '' },
    ];
  });
}
