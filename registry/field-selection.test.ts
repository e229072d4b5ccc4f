import assert from 'node:assert/strict';
import { ApiError } from '../api/api-error.ts';
import { parseFieldSelector } from '../api/selectors/fields.ts';
import { leaseDefinition } from '../resources/coordination/lease.ts';
import { ALL_FEATURE_GATES } from '../resources/feature-gates.ts';
import { fieldSelectionOf } from './field-selection.ts';
import { servedResource } from './served-resource.ts';

const definition = leaseDefinition(ALL_FEATURE_GATES);
const [version] = definition.versions;
const leases = servedResource(definition, version!);

describe('what a field selector asks', () => {
  it('never means all objects where its plain reading means one name', () => {
    for (const text of [
      '!metadata.labels["a=1,metadata.name=secret,b=1"]',
      'metadata.labels["a=1,metadata.name=secret,b=1"]',
      'metadata.annotations[?a=1] in (b,metadata.name=secret,c=d)',
    ]) {
      const plain = parseFieldSelector(text);
      if ('error' in plain) continue;
      assert.throws(() => fieldSelectionOf(text, leases, 'any'), ApiError, text);
    }
    const plain = parseFieldSelector('!metadata.labels["a=1,metadata.name=secret,b=1"]');
    assert.ok('selector' in plain, 'the first of them has a plain reading');
  });

  it('keeps the name that its plain reading has', () => {
    const text = 'spec.holderIdentity=x,metadata.name=secret,metadata.labels["a"]=b';
    const { declared, predicates } = fieldSelectionOf(text, leases, 'any');
    assert.equal(declared.requiresExactMatch('metadata.name'), 'secret');
    assert.equal(predicates.length, 2);
  });

  it('has a bounded number of conditions that need the whole object', () => {
    const terms = (count: number): string =>
      Array.from({ length: count }, (_, i) => `metadata.labels["a${i}"]=b`).join(',');
    assert.equal(fieldSelectionOf(terms(32), leases, 'any').predicates.length, 32);
    assert.throws(() => fieldSelectionOf(terms(33), leases, 'any'), /more than 32 conditions/);
  });

  it('is unchanged for declared fields', () => {
    const text = 'metadata.name!=a,metadata.namespace=b\\,c';
    const plain = parseFieldSelector(text);
    assert.ok('selector' in plain);
    for (const fields of ['any', 'declared'] as const) {
      const { declared, predicates } = fieldSelectionOf(text, leases, fields);
      assert.deepEqual(declared.requirements, plain.selector.requirements);
      assert.equal(predicates.length, 0);
    }
  });
});
