import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import {
  created,
  problems,
  rowOf,
  servedVersion,
  testKept,
  testRefused,
  updated,
} from '../testing/harness.ts';
import { CORE_EVENT_FIELDS, eventDefinition } from './event.ts';

const definition = eventDefinition();

function event(fields: JsonObject = {}, namespace = 'team'): JsonObject {
  return {
    apiVersion: 'events.cluster.io/v1',
    kind: 'Event',
    metadata: { name: 'a', namespace },
    eventTime: '1999-01-02T03:04:05.000006Z',
    action: 'Binding',
    reason: 'Scheduled',
    type: 'Normal',
    reportingController: 'example.com/scheduler',
    reportingInstance: 'scheduler-1',
    regarding: { kind: 'Lease', namespace: 'team', name: 'x' },
    ...fields,
  };
}

/** What is always there, set or not. */
const ALWAYS = {
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
  deprecatedSource: {},
};
const SERIES = { count: 3, lastObservedTime: '1999-01-02T03:05:05.500000Z' };
const FULL = {
  type: 'Warning',
  regarding: {
    kind: 'Lease',
    namespace: 'team',
    name: 'x',
    uid: 'u-1',
    apiVersion: 'coordination.cluster.io/v1',
    resourceVersion: '7',
    fieldPath: 'spec.holderIdentity',
  },
  note: 'bound to node-1',
  related: { kind: 'Node', name: 'node-1', apiVersion: 'v1' },
  series: SERIES,
};

describe('Event', () => {
  testKept(definition, {
    'what is required': [event(), event(ALWAYS)],
    'every field': [event(FULL), event({ ...FULL, ...ALWAYS })],
    'empty and null as if they were absent': [
      event({ note: '', related: null, series: null, deprecatedCount: 0, deprecatedSource: null }),
      event(ALWAYS),
    ],
    'an event about a cluster-scoped object in default': [
      event({ regarding: { kind: 'Node', name: 'n' } }, 'default'),
      event({ regarding: { kind: 'Node', name: 'n' }, ...ALWAYS }, 'default'),
    ],
    'an event told from another namespace': [
      event({ regarding: { kind: 'Lease', namespace: 'other', name: 'x' } }),
      event({ regarding: { kind: 'Lease', namespace: 'other', name: 'x' }, ...ALWAYS }),
    ],
    'a controller without a domain': [
      event({ reportingController: 'scheduler' }),
      event({ reportingController: 'scheduler', ...ALWAYS }),
    ],
    'words of 128 characters': [
      event({ action: 'ü'.repeat(128) }),
      event({ action: 'ü'.repeat(128), ...ALWAYS }),
    ],
    'a note of 1 kB': [
      event({ note: 'x'.repeat(1024) }),
      event({ note: 'x'.repeat(1024), ...ALWAYS }),
    ],
  });

  testRefused(definition, {
    'no eventTime': [event({ eventTime: null }), ['FieldValueRequired eventTime']],
    'no reportingController': [
      event({ reportingController: '' }),
      ['FieldValueRequired reportingController'],
    ],
    'a reportingController that is not a qualified name': [
      event({ reportingController: 'my scheduler' }),
      ['FieldValueInvalid reportingController'],
    ],
    'no reportingInstance': [
      event({ reportingInstance: '' }),
      ['FieldValueRequired reportingInstance'],
    ],
    'a reportingInstance of 129 characters': [
      event({ reportingInstance: 'x'.repeat(129) }),
      ['FieldValueInvalid reportingInstance'],
    ],
    'no action': [event({ action: '' }), ['FieldValueRequired action']],
    'an action of 129 characters': [
      event({ action: 'x'.repeat(129) }),
      ['FieldValueInvalid action'],
    ],
    'no reason': [event({ reason: '' }), ['FieldValueRequired reason']],
    'a reason of 129 characters': [
      event({ reason: 'x'.repeat(129) }),
      ['FieldValueInvalid reason'],
    ],
    'a note over 1 kB, counted in bytes': [
      event({ note: 'ü'.repeat(513) }),
      ['FieldValueInvalid note'],
    ],
    'no type': [event({ type: '' }), ['FieldValueInvalid type']],
    'a type in another case': [event({ type: 'normal' }), ['FieldValueInvalid type']],
    'a series of one': [
      event({ series: { ...SERIES, count: 1 } }),
      ['FieldValueInvalid series.count'],
    ],
    'a series without a time': [
      event({ series: { count: 2 } }),
      ['FieldValueRequired series.lastObservedTime'],
    ],
    'an event about a cluster-scoped object elsewhere': [
      event({ regarding: { kind: 'Node', name: 'n' } }),
      ['FieldValueInvalid regarding.namespace'],
    ],
    'an event without eventTime about an object of another namespace': [
      event({ eventTime: null, regarding: { kind: 'Lease', namespace: 'other', name: 'x' } }),
      ['FieldValueInvalid regarding.namespace', 'FieldValueRequired eventTime'],
    ],
    'an event without eventTime, whatever else is missing': [
      event({ eventTime: null, action: '', reason: '', reportingInstance: 'x'.repeat(129) }),
      ['FieldValueRequired eventTime'],
    ],
    'a deprecatedCount': [event({ deprecatedCount: 1 }), ['FieldValueInvalid deprecatedCount']],
    'a deprecatedFirstTimestamp': [
      event({ deprecatedFirstTimestamp: '1999-01-02T03:04:05Z' }),
      ['FieldValueInvalid deprecatedFirstTimestamp'],
    ],
    'a deprecatedLastTimestamp': [
      event({ deprecatedLastTimestamp: '1999-01-02T03:04:05Z' }),
      ['FieldValueInvalid deprecatedLastTimestamp'],
    ],
    'a deprecatedSource': [
      event({ deprecatedSource: { host: 'x' } }),
      ['FieldValueInvalid deprecatedSource'],
    ],
  });

  describe('updates', () => {
    const old = created(definition, event({ note: 'one', related: { kind: 'Node', name: 'n' } }));
    const put = (fields: JsonObject): string[] =>
      problems(updated(definition, old.object, { ...old.object, ...fields }));

    it('may change the series', () => {
      assert.deepEqual(put({ series: SERIES }), []);
      assert.deepEqual(put({ series: { count: 1 } }), [
        'FieldValueInvalid series.count',
        'FieldValueRequired series.lastObservedTime',
      ]);
    });

    it('see the same instant in another zone as no change', () => {
      assert.deepEqual(put({ eventTime: '1999-01-02T04:04:05.000006+01:00' }), []);
    });

    const changes: JsonObject = {
      regarding: { kind: 'Lease', namespace: 'team', name: 'y' },
      reason: 'Other',
      note: 'two',
      type: 'Warning',
      eventTime: '1999-01-02T03:04:05.000007Z',
      action: 'Other',
      related: null,
      reportingController: 'example.com/other',
      reportingInstance: 'scheduler-2',
      deprecatedCount: 4,
      deprecatedSource: { host: 'h' },
      deprecatedFirstTimestamp: '1999-01-02T03:04:05Z',
      deprecatedLastTimestamp: '1999-01-02T03:04:05Z',
    };
    for (const [field, value] of Object.entries(changes)) {
      it(`may not change ${field}`, () => {
        assert.deepEqual(put({ [field]: value }), [`FieldValueInvalid ${field}`]);
      });
    }
  });

  it('lives for an hour, or as long as the operator says, outside of garbage collection', () => {
    assert.equal(definition.ttlSeconds, 3600);
    assert.equal(eventDefinition(60).ttlSeconds, 60);
    assert.equal(definition.strategy.garbageCollected, false);
  });

  it('is selected by what it is about', () => {
    const object = created(definition, event(FULL)).object;
    const selected = Object.fromEntries(
      [...servedVersion(definition).selectableFields].map(([k, read]) => [k, read(object)]),
    );
    assert.deepEqual(selected, {
      'regarding.kind': 'Lease',
      'regarding.namespace': 'team',
      'regarding.name': 'x',
      'regarding.uid': 'u-1',
      'regarding.apiVersion': 'coordination.cluster.io/v1',
      'regarding.resourceVersion': '7',
      'regarding.fieldPath': 'spec.holderIdentity',
      reason: 'Scheduled',
      reportingController: 'example.com/scheduler',
      type: 'Warning',
    });
    assert.equal(CORE_EVENT_FIELDS.get('involvedObject.name')!(object), 'x');
    assert.equal(CORE_EVENT_FIELDS.get('source')!(object), 'example.com/scheduler');
  });

  it('shows what, when and about what in tables', () => {
    const { object } = created(definition, event(FULL));
    assert.deepEqual(rowOf(definition, object), {
      'Last Seen': '<invalid>',
      Type: 'Warning',
      Reason: 'Scheduled',
      Object: 'lease/x',
      Subobject: 'spec.holderIdentity',
      Source: 'example.com/scheduler, scheduler-1',
      Message: 'bound to node-1',
      'First Seen': '0s',
      Count: 3,
      Name: 'a',
    });
    const single = rowOf(definition, created(definition, event()).object);
    assert.equal(single['Last Seen'], '0s');
    assert.equal(single['Count'], 1);
  });
});
