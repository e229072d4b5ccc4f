import type { LoopState } from '../../controllers/loop-state.ts';
import type { LoopStatus } from '../../controllers/manager.ts';
import type { Family } from './family.ts';

interface Measure {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly value: (loop: LoopState) => number;
}

const MEASURES: readonly Measure[] = [
  {
    name: 'plinth_loop_active',
    type: 'gauge',
    help: '1 when this server runs the loop, otherwise 0.',
    value: ({ active }) => (active ? 1 : 0),
  },
  {
    name: 'plinth_loop_steps_total',
    type: 'counter',
    help: 'Steps of the loop on this server, including failed ones.',
    value: ({ steps }) => steps,
  },
  {
    name: 'plinth_loop_failures_total',
    type: 'counter',
    help: 'Steps that failed and were retried.',
    value: ({ failures }) => failures,
  },
  {
    name: 'plinth_loop_consecutive_failures',
    type: 'gauge',
    help: 'Failures since the last step that succeeded.',
    value: ({ failuresInARow }) => failuresInARow,
  },
  {
    name: 'plinth_loop_wakeups_total',
    type: 'counter',
    help: 'Number of times that a change woke the loop.',
    value: ({ wakeUps }) => wakeUps,
  },
  {
    name: 'plinth_loop_busy_seconds_total',
    type: 'counter',
    help: 'Total duration of the steps of the loop.',
    value: ({ busyMs }) => busyMs / 1000,
  },
  {
    name: 'plinth_loop_last_step_timestamp_seconds',
    type: 'gauge',
    help: 'Unix time of the end of the last step in seconds; 0 before the first step.',
    value: ({ lastStepAt = 0 }) => lastStepAt / 1000,
  },
];

/** Series of the background loops, read when they are asked for. */
export function loopFamilies(status: () => LoopStatus): Family[] {
  const ofLoops = MEASURES.map(({ name, type, help, value }) =>
    family(name, type, help, () =>
      status().loops.map((loop): [string, number] => [`{loop="${loop.name}"}`, value(loop)]),
    ),
  );
  const ofElection = [
    family(
      'leader_election_master_status',
      'gauge',
      '1 when this server runs the elected loops, otherwise 0.',
      () => [['{name="plinth-loops"}', status().leading ? 1 : 0]],
    ),
    family(
      'plinth_leader_terms_total',
      'counter',
      'Number of times that this server was elected to run the loops.',
      () => [['', status().terms]],
    ),
  ];
  return [...ofLoops, ...ofElection];
}

function family(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  series: () => readonly (readonly [labels: string, value: number])[],
): Family {
  return {
    name,
    *lines() {
      yield `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
      for (const [labels, value] of series()) yield `${name}${labels} ${value}\n`;
    },
  };
}
