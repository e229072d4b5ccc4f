import { getOwn, isObject, type JsonObject } from '../../api/json.ts';
import { MEMBER, type FieldSet } from './field-set.ts';
import { difference } from './field-set-at-once.ts';

/** Identity and what the server alone writes: no manager ever owns it (behaviours 5.14). */
const NEVER_OWNED: FieldSet = {
  'f:apiVersion': MEMBER,
  'f:kind': MEMBER,
  'f:metadata': {
    '.': MEMBER,
    'f:name': MEMBER,
    'f:namespace': MEMBER,
    'f:creationTimestamp': MEMBER,
    'f:selfLink': MEMBER,
    'f:uid': MEMBER,
    'f:clusterName': MEMBER,
    'f:generation': MEMBER,
    'f:managedFields': MEMBER,
    'f:resourceVersion': MEMBER,
  },
};

/** The fields without those that no manager owns, such as `metadata.uid`. */
export function withoutNeverOwned(fields: FieldSet): FieldSet {
  return difference(fields, NEVER_OWNED);
}

/** The object without `metadata.managedFields`, so that entries are never compared or owned themselves. */
export function withoutEntries(object: JsonObject): JsonObject {
  const metadata = getOwn(object, 'metadata');
  if (!isObject(metadata) || !Object.hasOwn(metadata, 'managedFields')) return object;
  const { managedFields: _entries, ...rest } = metadata;
  return { ...object, metadata: rest };
}
