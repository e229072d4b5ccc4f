import { isStepOver, type Steps } from '../../api/steps.ts';

/**
 * A set of fields, in the very form in which clients read it (FieldsV1): one
 * key per step (`f:spec`, `k:{"name":"a"}`, `v:"x"`), a step without anything
 * below it is a member, one with `.` is a member that also has members below.
 * `{}` as a whole is the empty set; below a key it is a member.
 *
 * Sets never change. Operations share what they can; union and the differences
 * return their first argument itself when the result equals it, so `===` tells
 * whether anything changed. Keys always carry a prefix, so no user's key can meet an inherited
 * name.
 *
 * Source: structured-merge-diff, fieldpath (sets, FieldsV1).
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** A set under construction: the same shape, still open. */
export interface OpenFieldSet {
  [element: string]: FieldSet;
}

/** The element that says that the place itself is a member. */
export const SELF = '.';
/** A place that is a member and has none below it; as a whole set, the empty set. */
export const MEMBER: FieldSet = Object.freeze({});
export const EMPTY_SET: FieldSet = MEMBER;

/** True when the place that `node` stands for is a member itself. Meaningless for a whole set. */
export function isMember(node: FieldSet): boolean {
  return node[SELF] !== undefined || isEmpty(node);
}

/** Whether a set has no member (a node below a key never is empty: there `{}` is a member). */
export function isEmpty(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** True when the place has members below it. */
export function hasChildren(node: FieldSet): boolean {
  for (const key in node) if (key !== SELF) return true;
  return false;
}

/** The node with the place itself as a member; undefined stands for a place that is not in the set. */
export function withSelf(node: FieldSet | undefined): FieldSet {
  if (node === undefined) return MEMBER;
  return isMember(node) ? node : { [SELF]: MEMBER, ...node };
}

/** The node of a place that has the members of `below` and is one or is not; undefined for none at all. */
export function nodeOf(below: FieldSet, member: boolean): FieldSet | undefined {
  if (!hasChildren(below)) return member ? MEMBER : undefined;
  if (member) return withSelf(below);
  if (below[SELF] === undefined) return below;
  const { [SELF]: _self, ...rest } = below;
  return rest;
}

/** A set of one path, given by its elements. */
export function setOfPath(...elements: readonly string[]): FieldSet {
  return elements.reduceRight<FieldSet>((below, element) => ({ [element]: below }), MEMBER);
}

/** Members of either set. */
export function* unionSteps(a: FieldSet, b: FieldSet): Steps<FieldSet> {
  if (a === b || isEmpty(b)) return a;
  return isEmpty(a) ? b : yield* unionNodes(a, b);
}

/** Most nodes are members without anything below them: no steps are made for these. */
export function areLeaves(a: FieldSet, b: FieldSet): boolean {
  return isEmpty(a) && isEmpty(b);
}

/** As {@link unionSteps}, for nodes below a key, where `{}` is a member. */
function* unionNodes(a: FieldSet, b: FieldSet): Steps<FieldSet> {
  if (a === b) return a;
  // even to ask a large set whether it is empty takes milliseconds
  const isEmptyA = isEmpty(a);
  yield;
  const isEmptyB = isEmpty(b);
  yield;
  const isMemberA = isEmptyA || a[SELF] !== undefined;
  const isMemberB = isEmptyB || b[SELF] !== undefined;
  let out: OpenFieldSet | undefined;
  if (isMemberB && !isMemberA) out = yield* copySteps(a, { [SELF]: MEMBER });
  else if (isEmptyA && !isEmptyB && hasChildren(b)) out = { [SELF]: MEMBER };
  yield;
  for (const key in b) {
    if (isStepOver()) yield;
    if (key === SELF) continue;
    const mine = a[key];
    const theirs = b[key] as FieldSet;
    let both = theirs;
    if (mine !== undefined && mine !== theirs) {
      both = areLeaves(mine, theirs) ? mine : yield* unionNodes(mine, theirs);
    }
    if (both === mine) continue;
    out ??= yield* copySteps(a, {});
    out[key] = both;
  }
  return out ?? a;
}

/**
 * Adds the members of `node` to `out`. One by one, since the first key that is
 * added to a copy that a spread has made takes 0.5 µs.
 */
function* copySteps(node: FieldSet, out: OpenFieldSet): Steps<OpenFieldSet> {
  for (const key in node) {
    if (isStepOver()) yield;
    out[key] = node[key] as FieldSet;
  }
  return out;
}

/** Members of both sets. */
export function* intersectionSteps(a: FieldSet, b: FieldSet): Steps<FieldSet> {
  const out: OpenFieldSet = {};
  for (const key in a) {
    if (isStepOver()) yield;
    const theirs = b[key];
    if (theirs === undefined || key === SELF) continue;
    const mine = a[key] as FieldSet;
    const isSame = mine === theirs || areLeaves(mine, theirs);
    const both = isSame ? mine : yield* intersectNodes(mine, theirs);
    if (both !== undefined) out[key] = both;
  }
  return out;
}

function* intersectNodes(a: FieldSet, b: FieldSet): Steps<FieldSet | undefined> {
  return nodeOf(yield* intersectionSteps(a, b), isMember(a) && isMember(b));
}

/**
 * Members of `a` that are not members of `b`. Each member counts for itself: a
 * parent in `b` does not take its children out of `a`.
 */
export function* differenceSteps(a: FieldSet, b: FieldSet): Steps<FieldSet> {
  let changed: Map<string, FieldSet | undefined> | undefined;
  for (const key in b) {
    if (isStepOver()) yield;
    const mine = a[key];
    if (mine === undefined || key === SELF) continue;
    const theirs = b[key] as FieldSet;
    const rest = areLeaves(mine, theirs) ? undefined : yield* subtractNodes(mine, theirs);
    if (rest !== mine) (changed ??= new Map()).set(key, rest);
  }
  return changed === undefined ? a : yield* replaced(a, changed);
}

/** The set with other nodes in some places, and without those that have none any more. */
function* replaced(
  set: FieldSet,
  changed: ReadonlyMap<string, FieldSet | undefined>,
): Steps<FieldSet> {
  const out: OpenFieldSet = {};
  for (const key in set) {
    if (isStepOver()) yield;
    const node = changed.has(key) ? changed.get(key) : set[key];
    if (node !== undefined) out[key] = node;
  }
  return out;
}

function* subtractNodes(a: FieldSet, b: FieldSet): Steps<FieldSet | undefined> {
  const below = yield* differenceSteps(a, b);
  const member = isMember(a);
  const stays = member && !isMember(b);
  return below === a && stays === member ? a : nodeOf(below, stays);
}

/** Members of `a` that neither are members of `b` nor lie below one. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  let out: OpenFieldSet | undefined;
  for (const key in b) {
    const mine = a[key];
    if (mine === undefined || key === SELF) continue;
    const theirs = b[key] as FieldSet;
    const rest = isMember(theirs) ? undefined : recursiveDifferenceNode(mine, theirs);
    if (rest === mine) continue;
    out ??= { ...a };
    if (rest === undefined) Reflect.deleteProperty(out, key);
    else out[key] = rest;
  }
  return out ?? a;
}

function recursiveDifferenceNode(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const below = recursiveDifference(a, b);
  return below === a ? a : nodeOf(below, isMember(a));
}

/** The members that have no member below them. */
export function leaves(set: FieldSet): FieldSet {
  const out: OpenFieldSet = {};
  for (const key in set) {
    if (key === SELF) continue;
    const node = set[key] as FieldSet;
    out[key] = hasChildren(node) ? leaves(node) : node;
  }
  return out;
}

/** Whether the path, given by its elements, is a member. */
export function hasPath(set: FieldSet, elements: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of elements) {
    node = node[element];
    if (node === undefined) return false;
  }
  return elements.length > 0 && isMember(node);
}

/** Whether every member of `a` is a member of `b`. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  for (const key in a) {
    if (key === SELF) continue;
    const mine = a[key] as FieldSet;
    const theirs = b[key];
    if (theirs === undefined) return false;
    if (mine === theirs) continue;
    if ((isMember(mine) && !isMember(theirs)) || !isSubset(mine, theirs)) return false;
  }
  return true;
}
