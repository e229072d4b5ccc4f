import assert from 'node:assert/strict';
import { newLoopState } from '../../controllers/loop-state.ts';
import type { LoopStatus } from '../../controllers/manager.ts';
import type { ApiRequest } from '../../http/message.ts';
import { loopFamilies } from '../metrics/loop-metrics.ts';
import { LoopsPage } from './loops-page.ts';

const state = {
  ...newLoopState({ name: 'garbage', elected: true, periodMs: 1, wokenBy: [], step: never }),
  active: true,
  steps: 3,
  failures: 1,
  busyMs: 1500,
  lastStepAt: Date.UTC(2024, 0, 1),
  lastSummary: 'nothing to do',
};
const status: LoopStatus = { identity: 'a', leading: true, leader: 'a', terms: 2, loops: [state] };

function never(): never {
  throw new Error('not run here');
}

function request(method: string, rawPath: string): ApiRequest {
  return { method, rawPath } as ApiRequest;
}

describe('/debug/loops', () => {
  const page = new LoopsPage(() => status);

  it('shows the leader and the state of each loop', () => {
    const body = page.handle(request('GET', '/debug/loops'))?.body as Buffer;
    const { loops, ...election } = JSON.parse(body.toString());
    assert.deepEqual(election, { identity: 'a', leading: true, leader: 'a', terms: 2 });
    const [loop] = loops;
    assert.equal(loop.name, 'garbage');
    assert.equal(loop.lastStepAt, '2024-01-01T00:00:00Z');
    assert.equal(loop.busyMs, 1500);
    assert.equal(loop.lastSummary, 'nothing to do');
  });

  it('leaves other paths alone and can only be read', () => {
    assert.equal(page.handle(request('GET', '/debug/loopsy')), undefined);
    assert.throws(() => page.handle(request('POST', '/debug/loops')), { code: 405 });
  });

  it('has the same in metrics', () => {
    const text = loopFamilies(() => status)
      .flatMap((family) => [...family.lines()])
      .join('');
    for (const line of [
      'plinth_loop_active{loop="garbage"} 1',
      'plinth_loop_steps_total{loop="garbage"} 3',
      'plinth_loop_failures_total{loop="garbage"} 1',
      'plinth_loop_busy_seconds_total{loop="garbage"} 1.5',
      'plinth_loop_last_step_timestamp_seconds{loop="garbage"} 1704067200',
      'leader_election_master_status{name="plinth-loops"} 1',
      'plinth_leader_terms_total 2',
    ]) {
      assert.ok(text.includes(`${line}\n`), line);
    }
  });
});
