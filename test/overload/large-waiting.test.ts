import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { AdmissionWebhooks, registration } from '../support/admission-webhook.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { answerJson } from '../support/tls-server.ts';
import { tokenUsers } from '../support/token-users.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const users = tokenUsers(['noisy', 'quiet']);
const RULE = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['*'] };

describe('large creates that hang in an admission webhook', () => {
  let hooks: AdmissionWebhooks;
  let plinth: Plinth;
  const held: (() => void)[] = [];

  before(async () => {
    hooks = await AdmissionWebhooks.start();
    plinth = await Plinth.start({ args: users.args });
    hooks.raw('/hang', (response: ServerResponse, { apiVersion, kind, request: { uid } }) => {
      held.push(() => answerJson(response, { apiVersion, kind, response: { uid, allowed: true } }));
    });
    const fields = { rules: [RULE], timeoutSeconds: 30, failurePolicy: 'Ignore' };
    const { status, text } = await plinth.send(
      'POST',
      registration('validatingwebhookconfigurations'),
      { metadata: { name: 'hang' }, webhooks: [hooks.hook('/hang', fields)] },
    );
    assert.equal(status, 201, text);
  });
  after(async () => {
    await plinth.dispose();
    await hooks.close();
  });

  const create = (user: string, name: string, bytes: number): Promise<Reply> => {
    const body = { metadata: { name }, data: { a: 'x'.repeat(bytes) } };
    return plinth.send('POST', MAPS, body, users.as(user));
  };

  it('are refused beyond 16 MiB of one user, also where failures are ignored', async () => {
    const replies = Array.from({ length: 20 }, (_, i) => create('noisy', `large${i}`, 1_000_000));
    const early: Reply[] = [];
    for (const reply of replies) void reply.then((got) => early.push(got));
    await eventually(() => held.length === 16 && early.length === 4, '16 hang, 4 are refused');
    for (const { status, json } of early) {
      assert.equal(status, 429);
      assert.match(json.message, /^too many large requests wait/);
    }
    const others = [create('noisy', 'small', 10), create('quiet', 'large', 1_000_000)];
    await eventually(() => held.length === 18, 'what is small, and what others send, goes on');
    for (const answer of held.splice(0)) answer();
    const statuses = (await Promise.all([...replies, ...others])).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 18);
    const again = create('noisy', 'again', 1_000_000);
    await eventually(() => held.length === 1, 'it hangs');
    held.pop()?.();
    assert.equal((await again).status, 201);
  });

  it('count as no call of the webhook where they are refused', async () => {
    const { text } = await plinth.get('/metrics');
    const failed = text
      .split('\n')
      .filter((line) =>
        /^[^#]*(?:webhook_rejection|webhook_admission.*rejected="true"|outcome="failed")/.test(
          line,
        ),
      )
      .filter((line) => !line.endsWith(' 0'));
    assert.deepEqual(failed, []);
    const calls = /^plinth_admission_extension_decisions_total\{.*outcome="allowed"\} 19$/m;
    assert.match(text, calls);
  });
});
