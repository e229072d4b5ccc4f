import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { apiObjectOf } from '../../api/object.ts';
import { created, problems, rowOf, testKept, testRefused, updated } from '../testing/harness.ts';
import { coreEventDefinition } from './core-event.ts';

const definition = coreEventDefinition();

function event(fields: JsonObject = {}, namespace = 'team'): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'a', namespace },
    involvedObject: { kind: 'Lease', namespace: 'team', name: 'x' },
    reason: 'Elected',
    message: 'is the leader',
    source: { component: 'elector' },
    firstTimestamp: '1999-01-02T03:04:05Z',
    lastTimestamp: '1999-01-02T03:04:05Z',
    count: 1,
    type: 'Normal',
    ...fields,
  };
}
const SHOWN = { eventTime: null, reportingComponent: '', reportingInstance: '' };
const TIMED = { eventTime: '1999-01-02T03:04:05.000006Z' };
const MANAGER = { manager: 'm', operation: 'Update' as const, fieldsType: 'FieldsV1' };

describe('Event of the core group', () => {
  testKept(definition, {
    'an event as recorders of client-go write it': [event(), event(SHOWN)],
    'any type of event': [event({ type: 'Odd' }), event({ ...SHOWN, type: 'Odd' })],
  });

  testRefused(definition, {
    'an event about an object of another namespace': [
      event({}, 'default'),
      ['FieldValueInvalid involvedObject.namespace'],
    ],
    'an event with a time and without its controller': [
      event({ ...TIMED, message: 'x'.repeat(1025) }),
      [
        'FieldValueRequired reportingComponent',
        'FieldValueRequired reportingInstance',
        'FieldValueRequired action',
        'FieldValueInvalid message',
      ],
    ],
  });

  it('may change: recorders count', () => {
    const { object } = created(definition, event());
    const again = event({ count: 2, lastTimestamp: '1999-01-02T03:05:05Z', message: 'still' });
    assert.deepEqual(problems(updated(definition, object, again)), []);
  });

  it('is stored as an Event of the group for events, and comes back as it was', () => {
    const { object } = created(definition, event());
    object.metadata.managedFields = [
      { ...MANAGER, apiVersion: 'v1', fieldsV1: { 'f:involvedObject': {}, 'f:reason': {} } },
      { ...MANAGER, apiVersion: 'other/v1', fieldsV1: { 'f:message': {} } },
    ];
    const form = definition.formOf!;
    const stored = form.toStored(object);
    const { regarding, note, deprecatedCount, deprecatedSource, involvedObject } = stored;
    assert.deepEqual(
      [stored.reportingController, stored.reportingInstance],
      [undefined, undefined],
    );
    assert.deepEqual(
      { regarding, note, deprecatedCount, deprecatedSource, involvedObject },
      {
        regarding: { kind: 'Lease', namespace: 'team', name: 'x' },
        note: 'is the leader',
        deprecatedCount: 1,
        deprecatedSource: { component: 'elector' },
        involvedObject: undefined,
      },
    );
    assert.equal(stored.apiVersion, 'events.cluster.io/v1');
    assert.deepEqual(stored.metadata.managedFields, [
      {
        ...MANAGER,
        apiVersion: 'events.cluster.io/v1',
        fieldsV1: { 'f:regarding': {}, 'f:reason': {} },
      },
      { ...MANAGER, apiVersion: 'other/v1', fieldsV1: { 'f:message': {} } },
    ]);
    assert.deepEqual(form.fromStored(apiObjectOf({ ...stored })), object);
  });

  it('has the table of events', () => {
    const { object } = created(definition, event({ count: 4 }));
    const { Reason, Object: about, Source, Message, Count } = rowOf(definition, object);
    assert.deepEqual(
      { Reason, about, Source, Message, Count },
      {
        Reason: 'Elected',
        about: 'lease/x',
        Source: 'elector',
        Message: 'is the leader',
        Count: 4,
      },
    );
  });
});
