import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { created, problems, rowOf, testKept, testRefused, updated } from '../testing/harness.ts';
import { apiServiceDefinition as definition } from './api-service.ts';

const NAME = 'v1.example.com';
const SPEC = {
  group: 'example.com',
  version: 'v1',
  groupPriorityMinimum: 1500,
  versionPriority: 20,
};
const SERVICE = { namespace: 'team', name: 'metrics' };
const BUNDLE = 'bm90IGEgY2VydGlmaWNhdGU=';

function apiService(spec: JsonObject = {}, name = NAME): JsonObject {
  return {
    apiVersion: 'apiregistration.cluster.io/v1',
    kind: 'APIService',
    metadata: { name },
    spec: { ...SPEC, ...spec },
  };
}
const LOCAL = {
  conditions: [
    {
      type: 'Available',
      status: 'True',
      lastTransitionTime: '1999-01-02T03:04:05Z',
      reason: 'Local',
      message: 'Local APIServices are always available',
    },
  ],
};

describe('APIService', () => {
  testKept(definition, {
    'a local one, available at once': [apiService(), { ...apiService(), status: LOCAL }],
    'a service, on port 443 unless said': [
      apiService({ service: SERVICE }),
      { ...apiService({ service: { ...SERVICE, port: 443 } }), status: {} },
    ],
    'another port, a bundle as it is': [
      apiService({ service: { ...SERVICE, port: 65535 }, caBundle: BUNDLE }),
      { ...apiService({ service: { ...SERVICE, port: 65535 }, caBundle: BUNDLE }), status: {} },
    ],
    'no verification without a bundle': [
      apiService({ service: SERVICE, insecureSkipTLSVerify: true, caBundle: '' }),
      {
        ...apiService({ service: { ...SERVICE, port: 443 }, insecureSkipTLSVerify: true }),
        status: {},
      },
    ],
    'the highest priorities': [
      apiService({ groupPriorityMinimum: 20_000, versionPriority: 1000 }),
      { ...apiService({ groupPriorityMinimum: 20_000, versionPriority: 1000 }), status: LOCAL },
    ],
    'a group without a dot': [
      apiService({ group: 'example' }, 'v1.example'),
      { ...apiService({ group: 'example' }, 'v1.example'), status: LOCAL },
    ],
    'the core group': [
      apiService({ group: '' }, 'v1.'),
      {
        ...apiService({}, 'v1.'),
        spec: { version: 'v1', groupPriorityMinimum: 1500, versionPriority: 20 },
        status: LOCAL,
      },
    ],
    'the smallest and the largest priorities': [
      apiService({ groupPriorityMinimum: 20000, versionPriority: 1 }),
      { ...apiService({ groupPriorityMinimum: 20000, versionPriority: 1 }), status: LOCAL },
    ],
  });

  const BOTH = [
    'FieldValueInvalid spec.groupPriorityMinimum',
    'FieldValueInvalid spec.versionPriority',
  ];
  testRefused(definition, {
    'a name that is not version.group': [
      apiService({}, 'other'),
      ['FieldValueInvalid metadata.name'],
    ],
    'a name that cannot stand in a path': [
      apiService({}, 'v1/example.com'),
      ['FieldValueInvalid metadata.name'],
    ],
    'priorities of 0': [apiService({ groupPriorityMinimum: 0, versionPriority: 0 }), BOTH],
    'priorities above their bounds': [
      apiService({ groupPriorityMinimum: 20001, versionPriority: 1001 }),
      BOTH,
    ],
    'no group with another version than v1': [
      apiService({ group: '', version: 'v2' }, 'v2.'),
      ['FieldValueRequired spec.group'],
    ],
    'a group that is not a domain': [
      apiService({ group: 'Bad_' }, 'v1.Bad_'),
      ['FieldValueInvalid spec.group'],
    ],
    'a version that is not a label': [
      apiService({ version: '1' }, '1.example.com'),
      ['FieldValueInvalid spec.version'],
    ],
    'a service without name and namespace': [
      apiService({ service: {} }),
      ['FieldValueRequired spec.service.namespace', 'FieldValueRequired spec.service.name'],
    ],
    'port 0': [
      apiService({ service: { ...SERVICE, port: 0 } }),
      ['FieldValueInvalid spec.service.port'],
    ],
    'port 65536': [
      apiService({ service: { ...SERVICE, port: 65536 } }),
      ['FieldValueInvalid spec.service.port'],
    ],
    'a bundle that is not used': [
      apiService({ service: SERVICE, insecureSkipTLSVerify: true, caBundle: BUNDLE }),
      ['FieldValueInvalid spec.insecureSkipTLSVerify'],
    ],
    'a local one with either': [
      apiService({ insecureSkipTLSVerify: true, caBundle: BUNDLE }),
      ['FieldValueInvalid spec.caBundle', 'FieldValueInvalid spec.insecureSkipTLSVerify'],
    ],
  });

  it('a bundle without certificates is accepted with a warning, until it changes', () => {
    const { object } = created(definition, apiService({ service: SERVICE, caBundle: BUNDLE }));
    const warnings = definition.strategy.warnings?.(object, undefined) ?? [];
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /^spec\.caBundle: .+: the server cannot be reached$/);
    assert.deepEqual(definition.strategy.warnings?.(object, object), []);
  });

  it('is not decoded with a bundle that is not base64', () => {
    assert.throws(() => created(definition, apiService({ caBundle: '-----BEGIN' })), {
      code: 400,
      message: /illegal base64 data at input byte 0$/,
    });
  });

  it('takes no status with an update, and the rules of a create hold', () => {
    const old = created(definition, apiService()).object;
    const body = { ...apiService({ versionPriority: 30 }), status: { conditions: [] } };
    const outcome = updated(definition, old, body);
    assert.deepEqual(problems(outcome), []);
    assert.deepEqual(outcome.object['status'], LOCAL);
    assert.deepEqual(problems(updated(definition, old, apiService({ versionPriority: 0 }))), [
      'FieldValueInvalid spec.versionPriority',
    ]);
    assert.deepEqual(problems(updated(definition, old, apiService({ version: 'v2' }))), [
      'FieldValueInvalid metadata.name',
    ]);
  });

  it('takes only the status through /status', () => {
    const old = created(definition, apiService()).object;
    const conditions = [{ type: 'Audited', status: 'Unknown' }];
    const body = {
      ...apiService({ versionPriority: 99 }),
      metadata: { name: NAME, labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['a/b'] },
      status: { conditions },
    };
    const outcome = updated(definition, old, body, 'status');
    assert.deepEqual(problems(outcome), []);
    assert.deepEqual(outcome.object, {
      ...apiService(),
      status: { conditions: [{ ...conditions[0], lastTransitionTime: null }] },
    });
  });

  it('has conditions whose status is True, False or Unknown', () => {
    const old = created(definition, apiService()).object;
    const status = { conditions: [{ type: 'Audited', status: 'Perhaps' }] };
    assert.deepEqual(problems(updated(definition, old, { ...apiService(), status }, 'status')), [
      'FieldValueNotSupported status.conditions[0].status',
    ]);
  });

  it('shows its service and its availability in tables', () => {
    const row = (spec: JsonObject, condition: JsonObject): JsonObject => {
      const { object } = created(definition, apiService(spec));
      object['status'] = { conditions: [{ type: 'Other' }, { type: 'Available', ...condition }] };
      return rowOf(definition, object);
    };
    const local = row({}, { status: 'True', reason: 'Local' });
    assert.equal(local['Service'], 'Local');
    assert.equal(local['Available'], 'True');
    const remote = row({ service: SERVICE }, { status: 'False', reason: 'ServiceNotFound' });
    assert.equal(remote['Service'], 'team/metrics');
    assert.equal(remote['Available'], 'False (ServiceNotFound)');
    const fresh = created(definition, apiService({ service: SERVICE })).object;
    assert.equal(rowOf(definition, fresh)['Available'], 'Unknown');
  });
});
