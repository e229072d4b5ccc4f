import { int32, microTime, string, struct, time, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import { ObjectReference } from '../object-reference.ts';

const EventSource = struct(
  'io.cluster.core.v1.EventSource',
  {
    component: string({ description: 'The component that made the event.' }),
    host: string({ description: 'The node on which the event was made.' }),
  },
  { numbers: { component: 1, host: 2 } },
);

const EventSeries = struct(
  'io.cluster.events.v1.EventSeries',
  {
    count: int32({
      required: true,
      description: 'How often the event occurred up to the last heartbeat.',
    }),
    lastObservedTime: microTime({
      required: true,
      description: 'When it was last seen before the last heartbeat.',
    }),
  },
  {
    description: 'An event that happens again and again.',
    numbers: { count: 1, lastObservedTime: 2 },
  },
);

const DEPRECATED = 'Deprecated: for compatibility with the core Event; must stay unset.';

/** Source of the fields: specification 1, section 2.3. */
export const eventSchema = kind(
  'io.cluster.events.v1.Event',
  {
    eventTime: microTime({
      required: true,
      description: 'When the event was first observed.',
    }),
    series: use(EventSeries, {
      pointer: true,
      description: 'Set when the event stands for a series of the same; absent for a single one.',
    }),
    reportingController: string({
      description: 'The controller that tells of the event, such as `example.com/scheduler`.',
    }),
    reportingInstance: string({
      description: 'Which instance of the controller it was; at most 128 characters.',
    }),
    action: string({
      description:
        'What was done about the object, or failed, in a word for programs; at most 128 characters.',
    }),
    reason: string({ description: 'Why it was done; at most 128 characters.' }),
    regarding: use(ObjectReference, {
      description: 'What the event is about; mostly the object that the controller looks after.',
    }),
    related: use(ObjectReference, {
      pointer: true,
      description: 'A second object, as when one object leads to the creation of another.',
    }),
    note: string({
      description: 'What happened, for people; at most 1 kB. Clients should cope with up to 64 kB.',
    }),
    type: string({
      enum: ['Normal', 'Warning'],
      description: 'Normal or Warning; there may be more in the future.',
    }),
    deprecatedSource: use(EventSource, { description: DEPRECATED }),
    deprecatedFirstTimestamp: time({ description: DEPRECATED }),
    deprecatedLastTimestamp: time({ description: DEPRECATED }),
    deprecatedCount: int32({ description: DEPRECATED }),
  },
  {
    description:
      'Reports that something happened in the cluster. Kept for a while only, and best effort: some events and repetitions may be missing.',
    numbers: {
      eventTime: 2,
      series: 3,
      reportingController: 4,
      reportingInstance: 5,
      action: 6,
      reason: 7,
      regarding: 8,
      related: 9,
      note: 10,
      type: 11,
      deprecatedSource: 12,
      deprecatedFirstTimestamp: 13,
      deprecatedLastTimestamp: 14,
      deprecatedCount: 15,
    },
  },
);
