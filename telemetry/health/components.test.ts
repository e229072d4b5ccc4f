import assert from 'node:assert/strict';
import { systemClock } from '../../api/clock.ts';
import { componentStatuses } from './components.ts';
import { HealthChecks } from './health-checks.ts';

describe('ComponentStatus', () => {
  it('is what the check of each component says at that moment', async () => {
    let broken = true;
    const checks = new HealthChecks(systemClock);
    checks.add({ name: 'ping', check: () => undefined });
    checks.add({ name: 'replica', component: 'replica', check: () => undefined });
    checks.add({
      name: 'etcd',
      component: 'etcd-0',
      check: () => {
        if (broken) throw new Error('connection refused');
      },
    });
    const conditions = async (): Promise<unknown[]> =>
      (await componentStatuses(checks)).map(({ metadata, ...rest }) => ({
        name: metadata.name,
        conditions: (rest as { conditions?: unknown }).conditions,
      }));
    const well = { type: 'Healthy', status: 'True', message: 'ok' };
    assert.deepEqual(await conditions(), [
      {
        name: 'etcd-0',
        conditions: [{ type: 'Healthy', status: 'False', error: 'connection refused' }],
      },
      { name: 'replica', conditions: [well] },
    ]);
    broken = false;
    assert.deepEqual(await conditions(), [
      { name: 'etcd-0', conditions: [well] },
      { name: 'replica', conditions: [well] },
    ]);
  });
});
