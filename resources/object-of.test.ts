import assert from 'node:assert/strict';
import { builtinDefinitions } from './builtin.ts';
import { ALL_FEATURE_GATES } from './feature-gates.ts';
import { objectOf } from './object-of.ts';
import { roleSchema } from './rbac/role-schema.ts';

const definitions = builtinDefinitions(ALL_FEATURE_GATES);
const ofKind = (kind: string): Parameters<typeof objectOf>[1] => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'a' },
});

describe('an object as an object of its kind', () => {
  it('is what every built-in schema takes its own objects for', () => {
    for (const { names, versions } of definitions) {
      const object = ofKind(names.kind);
      for (const { schema } of versions) assert.equal(objectOf(schema(), object), object);
    }
  });

  it('is refused when it is of another kind, one with a longer name among them', () => {
    for (const kind of ['ClusterRole', 'RoleBinding', 'Ro', '']) {
      assert.throws(() => objectOf(roleSchema, ofKind(kind)), /rbac\.v1\.Role expected, not /);
    }
  });
});
