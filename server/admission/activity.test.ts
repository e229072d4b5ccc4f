import assert from 'node:assert/strict';
import type { AdmissionAttributes } from '../../admission/attributes.ts';
import type { Extension } from '../../admission/decisions.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { AdmissionActivity, keyOf } from './activity.ts';

const extension = (uid: string): Extension => ({
  ...{ kind: 'ValidatingAdmissionPolicy', name: `policy-${uid}`, uid, webhook: '' },
});
const attributes = (resource: string): AdmissionAttributes =>
  ({
    ...{ operation: 'CREATE', resource: { group: 'example.com', version: 'v1', resource } },
    ...{ subresource: '', namespace: 'default', name: 'a', user: { name: 'ann' } },
  }) as unknown as AdmissionAttributes;
const refused = (text: string): AdmissionAttributes =>
  ({
    ...attributes('r'),
    namespace: text,
    name: text,
    user: { name: text },
  }) as AdmissionAttributes;
const ALLOWED = { outcome: 'allowed', seconds: 0.001 } as const;

describe('the counts of admission', () => {
  const activityOf = (configured: ReadonlySet<string>): AdmissionActivity =>
    new AdmissionActivity({ configured: () => configured, clock: new FakeClock() });
  const textOf = (activity: AdmissionActivity): string =>
    activity
      .families()
      .map((family) => [...family.lines()].join(''))
      .join('');

  it('have at most 100 rows for one policy, and count the rest as "other"', () => {
    const one = extension('1');
    const activity = activityOf(new Set([keyOf(one)]));
    for (let i = 0; i < 150; i++) activity.report(one, attributes(`r${i}`), ALLOWED);
    const [only] = [...activity.all()];
    assert.equal(only!.rows.size, 101);
    const others = [...only!.rows.values()].find(({ resource }) => resource === 'other');
    assert.equal(others!.counts.allowed, 50);
    assert.equal(textOf(activity).match(/^\w+_total\{/gm)!.length, 101);
  });

  it('say how often one failed in a row, and when last', async () => {
    const one = extension('1');
    const clock = new FakeClock();
    const activity = new AdmissionActivity({ configured: () => new Set([keyOf(one)]), clock });
    const report = (outcome: 'allowed' | 'failed' | 'refused'): unknown => {
      activity.report(one, attributes('r'), { outcome, seconds: 0 });
      const [only] = [...activity.all()];
      return [only!.failuresInARow, only!.lastFailureAt];
    };
    assert.deepEqual(report('allowed'), [0, undefined]);
    const first = clock.now();
    assert.deepEqual(report('failed'), [1, first]);
    await clock.advance(1_000);
    assert.deepEqual(report('failed'), [2, first + 1_000]);
    assert.deepEqual(report('refused'), [0, first + 1_000]);
  });

  it('keep the beginning of long texts, names that have not been validated among them', () => {
    const one = extension('1');
    const activity = activityOf(new Set([keyOf(one)]));
    const long = 'x'.repeat(1_000_000);
    activity.report(one, refused(long), { outcome: 'refused', seconds: 0, refusal: long });
    const [only] = [...activity.all()];
    const { namespace, name, user, message } = only!.refusals[0]!;
    const expected = `${'x'.repeat(512)}…`;
    assert.deepEqual([namespace, name, user, message], Array(4).fill(expected));
  });

  it('are of at most 500 policies, and those that are gone make room', () => {
    const configured = new Set<string>();
    const activity = activityOf(configured);
    for (let i = 0; i < 501; i++) {
      configured.add(keyOf(extension(String(i))));
      activity.report(extension(String(i)), attributes('r'), ALLOWED);
    }
    assert.equal([...activity.all()].length, 500);
    configured.delete(keyOf(extension('0')));
    activity.report(extension('500'), attributes('r'), ALLOWED);
    assert.equal([...activity.all()].length, 500);
    configured.clear();
    assert.doesNotMatch(textOf(activity), /policy-/);
  });
});
