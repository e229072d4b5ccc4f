import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { AdmissionWebhooks, registration } from '../support/admission-webhook.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { answerJson } from '../support/tls-server.ts';
import { tokenUsers } from '../support/token-users.ts';

const NOISY = ['noisy-1', 'noisy-2', 'noisy-3'];
const SEATS = 8;
/** What one user may have under way. */
const SHARE = 6;
const users = tokenUsers([...NOISY, 'quiet']);
const leases = (namespace: string): string =>
  `/apis/coordination.cluster.io/v1/namespaces/${namespace}/leases`;

describe('creates that hang in an admission webhook', () => {
  let hooks: AdmissionWebhooks;
  let plinth: Plinth;
  /** What lets one of the webhook's calls go on. */
  let held: (() => void)[];
  let isHanging: boolean;

  before(async () => {
    hooks = await AdmissionWebhooks.start();
    plinth = await Plinth.start({
      args: [...users.args, '--max-mutating-requests-inflight', String(SEATS)],
    });
    for (const name of ['slow', 'fast']) {
      const metadata = { name, labels: { speed: name } };
      await plinth.send('POST', '/api/v1/namespaces', { metadata });
    }
    hooks.raw('/hang', (response: ServerResponse, review) => {
      const { apiVersion, kind, request } = review;
      const answer = (): void =>
        answerJson(response, { apiVersion, kind, response: { uid: request.uid, allowed: true } });
      if (isHanging) held.push(answer);
      else answer();
    });
    const namespaceSelector = { matchLabels: { speed: 'slow' } };
    const { status, text } = await plinth.send(
      'POST',
      registration('validatingwebhookconfigurations'),
      {
        metadata: { name: 'hang' },
        webhooks: [hooks.hook('/hang', { namespaceSelector, timeoutSeconds: 30 })],
      },
    );
    assert.equal(status, 201, text);
  });
  beforeEach(() => {
    held = [];
    isHanging = true;
  });
  after(async () => {
    await plinth.dispose();
    await hooks.close();
  });

  const create = (user: string, namespace: string, name: string): Promise<Reply> =>
    plinth.send('POST', leases(namespace), { metadata: { name } }, users.as(user));

  /** Each of the noisy users sends so many creates; resolves when all that may hang do. */
  async function hang(each: number, test: string): Promise<Promise<Reply>[]> {
    const replies = NOISY.flatMap((user) =>
      Array.from({ length: each }, (_, i) => create(user, 'slow', `${test}-${user}-${i}`)),
    );
    await eventually(() => held.length === NOISY.length * SHARE, 'all that may hang');
    return replies;
  }

  function release(): void {
    isHanging = false;
    for (const answer of held.splice(0)) answer();
  }

  it('hold no seats: reads and writes of all users continue', async () => {
    const replies = await hang(SHARE, 'seats');
    for (const user of ['quiet', 'quiet', 'quiet']) {
      const name = `${user}-${Math.random().toString(36).slice(2)}`;
      assert.equal((await create(user, 'fast', name)).status, 201);
      assert.equal((await plinth.get(leases('fast'), users.as(user))).status, 200);
    }
    assert.equal((await plinth.get(leases('slow'), users.as('noisy-1'))).status, 200);
    assert.equal(held.length, NOISY.length * SHARE, 'they hang all that time');
    release();
    for (const reply of replies) assert.equal((await reply).status, 201);
  });

  it('queue further creates until one continues', async () => {
    const asked = hooks.server.requests.length;
    const replies = await hang(SHARE * 2, 'more');
    release();
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set([201]));
    assert.equal(hooks.server.requests.length - asked, replies.length, 'each is asked about once');
  });
});
