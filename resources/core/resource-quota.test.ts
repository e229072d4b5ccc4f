import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { created, problems, rowOf, testKept, testRefused, updated } from '../testing/harness.ts';
import { countedBy } from './quota.ts';
import { resourceQuotaDefinition as definition } from './resource-quota.ts';

function quota(spec: JsonObject, status: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'a' }, spec, status };
}
const hard = (key: string, amount = '1'): JsonObject => quota({ hard: { [key]: amount } });
const inScope = (spec: JsonObject): JsonObject => quota({ hard: { pods: '1' }, ...spec });
const selecting = (...matchExpressions: JsonObject[]): JsonObject =>
  inScope({ scopeSelector: { matchExpressions } });

describe('ResourceQuota', () => {
  testKept(definition, {
    'every kind of key': [
      quota({ hard: { 'count/a.b.com': '10', pods: '1', 'limits.cpu': '1500m', 'x.com/y': '1' } }),
      quota({ hard: { 'count/a.b.com': '10', pods: '1', 'limits.cpu': '1500m', 'x.com/y': '1' } }),
    ],
    'thousandths, rounded up': [hard('requests.memory', '0.00001'), hard('requests.memory', '1m')],
    'scopes of workloads': [
      inScope({ scopes: ['Terminating', 'NotBestEffort'] }),
      inScope({ scopes: ['Terminating', 'NotBestEffort'] }),
    ],
    'a scope with values': [
      selecting({ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }),
      selecting({ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }),
    ],
  });

  testRefused(definition, {
    'a key that is not standard': [
      hard('widgets'),
      ['FieldValueInvalid spec.hard[widgets]', 'FieldValueInvalid spec.hard[widgets]'],
    ],
    'storage, which claims ask for as requests.storage': [
      hard('storage'),
      ['FieldValueInvalid spec.hard[storage]'],
    ],
    'a negative number': [hard('configmaps', '-1'), ['FieldValueInvalid spec.hard[configmaps]']],
    'a part of an object': [
      hard('count/configmaps', '500m'),
      ['FieldValueInvalid spec.hard[count/configmaps]'],
    ],
    'more than 250 keys': [
      quota({
        hard: Object.fromEntries(Array.from({ length: 251 }, (_, i) => [`x.com/${i}`, '1'])),
      }),
      ['FieldValueTooMany spec.hard'],
    ],
    'an unknown scope': [inScope({ scopes: ['Mine'] }), ['FieldValueInvalid spec.scopes']],
    'scopes that exclude each other': [
      inScope({ scopes: ['BestEffort', 'NotBestEffort'] }),
      ['FieldValueInvalid spec.scopes'],
    ],
    'a scope that a standard resource cannot have': [
      quota({ hard: { secrets: '1', 'count/x.y.com': '1' }, scopes: ['Terminating'] }),
      ['FieldValueInvalid spec.scopes'],
    ],
    'requirements of scopes that make no sense': [
      selecting(
        { scopeName: 'Mine', operator: 'Exists' },
        { scopeName: 'Terminating', operator: 'In', values: ['a'] },
        { scopeName: 'PriorityClass', operator: 'In' },
        { scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] },
        { scopeName: 'PriorityClass', operator: 'Is' },
      ),
      [
        'FieldValueInvalid spec.scopeSelector.matchExpressions.scopeName',
        'FieldValueInvalid spec.scopeSelector.matchExpressions.operator',
        'FieldValueRequired spec.scopeSelector.matchExpressions.values',
        'FieldValueInvalid spec.scopeSelector.matchExpressions.values',
        'FieldValueInvalid spec.scopeSelector.matchExpressions.operator',
      ],
    ],
  });

  describe('updates', () => {
    const old = created(definition, hard('configmaps')).object;
    const status = { hard: { configmaps: '1' }, used: { configmaps: '0' } };
    const withStatus = (spec: JsonObject = {}): JsonObject =>
      updated(definition, old, quota({ hard: { configmaps: '1' }, ...spec }, status), 'status')
        .object;

    it('may change limits, but not scopes', () => {
      assert.deepEqual(problems(updated(definition, old, hard('configmaps', '2'))), []);
      const scoped = updated(definition, old, inScope({ scopes: ['Terminating'] }));
      assert.deepEqual(problems(scoped), ['FieldValueInvalid spec.scopes']);
    });

    it('keep the status of limits that stay, whatever is sent', () => {
      const before = { ...old, ...withStatus() };
      const more = quota(
        { hard: { configmaps: '5', secrets: '1' } },
        { used: { configmaps: '9' } },
      );
      assert.deepEqual(updated(definition, before, more).object['status'], status);
    });

    it('forget the status of a limit that goes, and of all when the scope changes', () => {
      const before = { ...old, ...withStatus() };
      const none = { hard: {}, used: {} };
      assert.deepEqual(updated(definition, before, hard('secrets')).object['status'], none);
      const scopeSelector = {
        matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }],
      };
      const scoped = quota({ hard: { configmaps: '1' }, scopeSelector });
      assert.deepEqual(updated(definition, before, scoped).object['status'], none);
    });

    it('of the status change nothing else, and have valid keys and amounts', () => {
      const sent = quota({ hard: { secrets: '7' } }, { used: { configmaps: '-1' } });
      const outcome = updated(definition, old, sent, 'status');
      assert.deepEqual(problems(outcome), ['FieldValueInvalid status.used[configmaps]']);
      assert.deepEqual(outcome.object['spec'], { hard: { configmaps: '1' } });
    });
  });

  it('shows what is used of each limit, those of workloads apart', () => {
    const limits = { 'count/x.y.com': '3', 'limits.cpu': '2', configmaps: '1' };
    const object = created(definition, quota({})).object;
    object['status'] = { hard: limits, used: { configmaps: '1' } };
    const { Request, Limit } = rowOf(definition, object);
    assert.equal(Request, 'configmaps: 1/1, count/x.y.com: 0/3');
    assert.equal(Limit, 'limits.cpu: 0/2');
  });

  it('a key means one resource by either name of its group', () => {
    const leases = { group: 'coordination.cluster.io', resource: 'leases' };
    assert.deepEqual(countedBy('count/leases.coordination.k8s.io'), leases);
    assert.deepEqual(countedBy('count/leases.coordination.cluster.io'), leases);
    assert.deepEqual(countedBy('count/secrets'), countedBy('secrets'));
    assert.equal(countedBy('requests.cpu'), undefined);
  });
});
