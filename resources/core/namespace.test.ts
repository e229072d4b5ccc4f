import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { METADATA_NAME_LABEL } from '../../api/naming.ts';
import { created, problems, rowOf, servedVersion, updated } from '../testing/harness.ts';
import { namespaceDefinition as definition } from './namespace.ts';

function namespace(fields: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team', ...metadata },
    ...fields,
  };
}
const finalizers = (...names: string[]): JsonObject => ({ spec: { finalizers: names } });
const specOf = (fields?: JsonObject): unknown =>
  created(definition, namespace(fields)).object['spec'];

const DELETED = { deletionTimestamp: '1999-01-02T03:04:05Z' };
const CONDITION = {
  type: 'NamespaceContentRemaining',
  status: 'False',
  reason: 'ContentDeleted',
  lastTransitionTime: '1999-03-04T05:06:07Z',
};

describe('Namespace', () => {
  it('is created with its finalizer, its label and phase Active', () => {
    const outcome = created(definition, namespace({ status: { phase: 'Terminating' } }));
    assert.deepEqual(problems(outcome), []);
    assert.deepEqual(outcome.object, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'team', labels: { [METADATA_NAME_LABEL]: 'team' } },
      spec: { finalizers: ['cluster'] },
      status: { phase: 'Active' },
    });
  });

  it('keeps finalizers that it is created with, and adds its own behind them once', () => {
    assert.deepEqual(specOf(finalizers('cluster', 'example.com/hold')), {
      finalizers: ['cluster', 'example.com/hold'],
    });
    assert.deepEqual(specOf(finalizers('orphan', 'foregroundDeletion')), {
      finalizers: ['orphan', 'foregroundDeletion', 'cluster'],
    });
    assert.deepEqual(specOf(finalizers()), { finalizers: ['cluster'] });
    assert.deepEqual(specOf({ spec: null, status: null }), { finalizers: ['cluster'] });
  });

  it('labels a generated name too', () => {
    const { object } = created(
      definition,
      namespace({}, { generateName: 'team-', name: 'team-x' }),
    );
    assert.equal(object.metadata.labels?.[METADATA_NAME_LABEL], 'team-x');
  });

  const refused: Record<string, [JsonObject, string[]]> = {
    'a finalizer without a domain that is not standard': [
      namespace(finalizers('hold')),
      ['FieldValueInvalid spec.finalizers[0]'],
    ],
    'a finalizer that is not a qualified name': [
      namespace(finalizers('cluster', 'bad name/x')),
      ['FieldValueInvalid spec.finalizers[1]'],
    ],
    'a name with a dot': [namespace({}, { name: 'a.b' }), ['FieldValueInvalid metadata.name']],
    'a name of 64 characters': [
      namespace({}, { name: 'a'.repeat(64) }),
      ['FieldValueInvalid metadata.name'],
    ],
  };
  for (const [rule, [body, expected]] of Object.entries(refused)) {
    it(`refuses ${rule}`, () => assert.deepEqual(problems(created(definition, body)), expected));
  }

  it('takes neither finalizers nor status from a plain update, and keeps its label', () => {
    const old = created(definition, namespace()).object;
    const body = namespace(
      { ...finalizers('hold'), status: { phase: 'Terminating', conditions: [CONDITION] } },
      { labels: { tier: 'gold', [METADATA_NAME_LABEL]: 'other' } },
    );
    const outcome = updated(definition, old, body);
    assert.deepEqual(problems(outcome), []);
    assert.deepEqual(outcome.object['spec'], { finalizers: ['cluster'] });
    assert.deepEqual(outcome.object['status'], { phase: 'Active' });
    assert.deepEqual(outcome.object.metadata.labels, {
      tier: 'gold',
      [METADATA_NAME_LABEL]: 'team',
    });
  });

  it('takes metadata and status through /status, and no finalizers', () => {
    const old = created(definition, namespace()).object;
    const status = { phase: 'Active', conditions: [{ ...CONDITION, message: '' }] };
    const body = namespace({ ...finalizers('a.example/b'), status }, { labels: { seen: 'yes' } });
    const outcome = updated(definition, old, body, 'status');
    assert.deepEqual(problems(outcome), []);
    assert.deepEqual(outcome.object['spec'], { finalizers: ['cluster'] });
    assert.deepEqual(outcome.object['status'], { phase: 'Active', conditions: [CONDITION] });
    assert.equal(outcome.object.metadata.labels?.['seen'], 'yes');
  });

  it('shows a condition without a time with null', () => {
    const old = created(definition, namespace()).object;
    const status = { conditions: [{ type: 'X', status: 'True' }] };
    assert.deepEqual(updated(definition, old, namespace({ status }), 'status').object['status'], {
      phase: 'Active',
      conditions: [{ type: 'X', status: 'True', lastTransitionTime: null }],
    });
  });

  it('is Active until it is deleted, and Terminating from then on', () => {
    const old = created(definition, namespace()).object;
    const phase = (name: string, metadata: JsonObject = {}): string[] =>
      problems(
        updated(definition, old, namespace({ status: { phase: name } }, metadata), 'status'),
      );
    assert.deepEqual(phase('Active'), []);
    assert.deepEqual(phase(''), []);
    assert.deepEqual(phase('Terminating'), ['FieldValueInvalid status.phase']);
    assert.deepEqual(phase('Terminating', DELETED), []);
    assert.deepEqual(phase('Active', DELETED), ['FieldValueInvalid status.phase']);
  });

  it('has its finalizers replaced through /finalize, and no status', () => {
    const old = created(definition, namespace()).object;
    const body = namespace({ ...finalizers('cluster', 'cluster'), status: { phase: 'X' } });
    const outcome = updated(definition, old, body, 'finalize');
    assert.deepEqual(problems(outcome), []);
    assert.deepEqual(outcome.object['spec'], { finalizers: ['cluster', 'cluster'] });
    assert.deepEqual(outcome.object['status'], { phase: 'Active' });
    assert.deepEqual(updated(definition, old, namespace(), 'finalize').object['spec'], {});
  });

  it('checks finalizers that come through /finalize', () => {
    const old = created(definition, namespace()).object;
    const body = namespace(finalizers('cluster', 'a/b/c', 'nope'));
    assert.deepEqual(problems(updated(definition, old, body, 'finalize')), [
      'FieldValueInvalid spec.finalizers[1]',
      'FieldValueInvalid spec.finalizers[2]',
    ]);
  });

  it('has conditions whose status is True, False or Unknown', () => {
    const old = created(definition, namespace()).object;
    const put = (conditions: JsonObject[]): string[] =>
      problems(updated(definition, old, namespace({ status: { conditions } }), 'status'));
    assert.deepEqual(put([CONDITION, { ...CONDITION, type: 'Y', status: 'Perhaps' }]), [
      'FieldValueNotSupported status.conditions[1].status',
    ]);
    assert.deepEqual(put([{ status: 'True' }]), ['FieldValueRequired status.conditions[0].type']);
  });

  it('is held back by its finalizers, and Terminating once it is being deleted', () => {
    const { object } = created(definition, namespace());
    assert.equal(definition.strategy.holdsBack!(object), true);
    definition.strategy.beginDeletion!(object, { now: 0, finalizers: ['orphan'] });
    assert.deepEqual(object['status'], { phase: 'Terminating' });
    assert.deepEqual(object.metadata.finalizers, ['orphan']);
    definition.strategy.beginDeletion!(object, { now: 0, finalizers: [] });
    assert.equal(object.metadata.finalizers, undefined);
    assert.equal(definition.strategy.holdsBack!({ ...object, spec: {} }), false);
  });

  it('is selected by its phase', () => {
    const select = servedVersion(definition).selectableFields.get('status.phase');
    assert.equal(select!(created(definition, namespace()).object), 'Active');
    assert.equal(select!({}), '');
  });

  it('shows its phase in tables', () => {
    assert.deepEqual(rowOf(definition, created(definition, namespace()).object), {
      Name: 'team',
      Status: 'Active',
      Age: '<unknown>',
    });
  });

  it('cannot be deleted as a collection', () => {
    assert.equal(definition.verbs.includes('deletecollection'), false);
  });
});
