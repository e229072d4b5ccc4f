// Made from field-set.ts by `npm run generate:twins`: the same without rests.
import {
  type FieldSet,
  MEMBER,
  type OpenFieldSet,
  SELF,
  areLeaves,
  hasChildren,
  isEmpty,
  isMember,
  nodeOf,
} from './field-set.ts';

/** Members of either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a;
  return isEmpty(a) ? b : unionNodes(a, b);
}

/** As {@link union}, for nodes below a key, where `{}` is a member. */
function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  // even to ask a large set whether it is empty takes milliseconds
  const isEmptyA = isEmpty(a);
  const isEmptyB = isEmpty(b);
  const isMemberA = isEmptyA || a[SELF] !== undefined;
  const isMemberB = isEmptyB || b[SELF] !== undefined;
  let out: OpenFieldSet | undefined;
  if (isMemberB && !isMemberA) out = copyInto(a, { [SELF]: MEMBER });
  else if (isEmptyA && !isEmptyB && hasChildren(b)) out = { [SELF]: MEMBER };
  for (const key in b) {
    if (key === SELF) continue;
    const mine = a[key];
    const theirs = b[key] as FieldSet;
    let both = theirs;
    if (mine !== undefined && mine !== theirs) {
      both = areLeaves(mine, theirs) ? mine : unionNodes(mine, theirs);
    }
    if (both === mine) continue;
    out ??= copyInto(a, {});
    out[key] = both;
  }
  return out ?? a;
}

/**
 * Adds the members of `node` to `out`. One by one, since the first key that is
 * added to a copy that a spread has made takes 0.5 µs.
 */
function copyInto(node: FieldSet, out: OpenFieldSet): OpenFieldSet {
  for (const key in node) {
    out[key] = node[key] as FieldSet;
  }
  return out;
}

/** Members of both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const out: OpenFieldSet = {};
  for (const key in a) {
    const theirs = b[key];
    if (theirs === undefined || key === SELF) continue;
    const mine = a[key] as FieldSet;
    const isSame = mine === theirs || areLeaves(mine, theirs);
    const both = isSame ? mine : intersectNodes(mine, theirs);
    if (both !== undefined) out[key] = both;
  }
  return out;
}

function intersectNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  return nodeOf(intersection(a, b), isMember(a) && isMember(b));
}

/**
 * Members of `a` that are not members of `b`. Each member counts for itself: a
 * parent in `b` does not take its children out of `a`.
 */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  let changed: Map<string, FieldSet | undefined> | undefined;
  for (const key in b) {
    const mine = a[key];
    if (mine === undefined || key === SELF) continue;
    const theirs = b[key] as FieldSet;
    const rest = areLeaves(mine, theirs) ? undefined : subtractNodes(mine, theirs);
    if (rest !== mine) (changed ??= new Map()).set(key, rest);
  }
  return changed === undefined ? a : replaced(a, changed);
}

/** The set with other nodes in some places, and without those that have none any more. */
function replaced(set: FieldSet, changed: ReadonlyMap<string, FieldSet | undefined>): FieldSet {
  const out: OpenFieldSet = {};
  for (const key in set) {
    const node = changed.has(key) ? changed.get(key) : set[key];
    if (node !== undefined) out[key] = node;
  }
  return out;
}

function subtractNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const below = difference(a, b);
  const member = isMember(a);
  const stays = member && !isMember(b);
  return below === a && stays === member ? a : nodeOf(below, stays);
}
