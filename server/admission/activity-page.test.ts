import assert from 'node:assert/strict';
import type { AdmissionAttributes } from '../../admission/attributes.ts';
import type { Extension } from '../../admission/decisions.ts';
import { isPushed } from '../../http/message.ts';
import type { Exchange } from '../../http/exchange.ts';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { AdmissionPage } from './activity-page.ts';
import { AdmissionActivity, keyOf } from './activity.ts';

const POLICIES = 500;
const REFUSALS = 10;
/** Of one policy, and of those before it in a turn that is not over yet. */
const MOST_IN_A_TURN = 2 * REFUSALS;

describe('the page of admission', () => {
  it('is built in steps that let other requests run', async () => {
    let ms = 0;
    const clock = Object.assign(new FakeClock(), { monotonic: () => ms });
    const configured = new Set<string>();
    const activity = new AdmissionActivity({ configured: () => configured, clock });
    for (let i = 0; i < POLICIES; i++) {
      const policy: Extension = {
        ...{ kind: 'ValidatingAdmissionPolicy', name: `policy-${i}`, uid: `${i}`, webhook: '' },
      };
      configured.add(keyOf(policy));
      for (let j = 0; j < REFUSALS; j++) {
        activity.report(policy, attributes(`o${j}`), {
          ...{ outcome: 'refused', seconds: 0.001, refusal: 'm'.repeat(600) },
        });
      }
    }
    let inThisTurn = 0;
    let most = 0;
    const authorizer = {
      authorize: () => {
        ms += 1;
        most = Math.max(most, ++inThisTurn);
        return Promise.resolve({ decision: 'allow', reason: '' } as const);
      },
    };
    let isOver = false;
    const turn = (): void => {
      inThisTurn = 0;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const page = new AdmissionPage({ activity, authorizer, clock });
    const text = await textOf(page);
    isOver = true;
    const { items } = JSON.parse(text) as { items: { refusals: object[] }[] };
    assert.equal(items.length, POLICIES);
    assert.ok(items.every(({ refusals }) => refusals.length === REFUSALS));
    assert.ok(most <= MOST_IN_A_TURN, `${most} decisions about rights in one turn`);
  });
});

function attributes(name: string): AdmissionAttributes {
  const resource = { group: 'example.com', version: 'v1', resource: 'things' };
  return {
    ...{ operation: 'CREATE', resource, subresource: '', namespace: 'default', name },
    user: { name: 'ann' },
  } as unknown as AdmissionAttributes;
}

async function textOf(page: AdmissionPage): Promise<string> {
  const exchange = {
    ...{ info: { isResource: false, path: '/debug/admission' }, request: { method: 'GET' } },
    user: { name: 'bob', groups: [] },
  } as unknown as Exchange;
  const { body } = (await page.route(exchange))!;
  assert.ok(!isPushed(body) && !Buffer.isBuffer(body));
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
