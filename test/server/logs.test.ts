import assert from 'node:assert/strict';
import { eventually, Plinth } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const WEBHOOKS = '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations';
const TOKEN = 'a-token-that-is-not-known';
/** Without its stack, and with its message once. */
const MAX_LINE_BYTES = 900;
const FAILURES = 3;

describe('the log at its usual level', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: ['--log-level', 'info'] });
  });
  after(() => plinth.dispose());

  const lines = (): any[] =>
    plinth.output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  /** The lines about requests for a path or a kind, once there is one. */
  async function about(text: string): Promise<any[]> {
    const found = (): any[] => lines().filter((line) => JSON.stringify(line).includes(text));
    await eventually(() => found().length > 0, `a line about ${text}`);
    return found();
  }

  it('is JSON from its first line on when it is read by a program, without paths of its machine', () => {
    const [first] = lines();
    assert.match(first.msg, /^Plinth serves https:\/\/127\.0\.0\.1:\d+ on the embedded store/);
    assert.equal(first.level, 30);
    assert.ok(!plinth.output.includes('KUBECONFIG'));
  });

  it('has no line for a probe or a scrape that is answered well', async () => {
    for (const path of ['/livez', '/readyz', '/metrics']) {
      assert.equal((await plinth.get(path)).status, 200);
    }
    await plinth.get('/version');
    await about('/version');
    assert.deepEqual(
      lines().filter(({ path }) => /livez|readyz|metrics/.test(path)),
      [],
    );
  });

  it('says why a credential was refused, and not which it was', async () => {
    const { status } = await plinth.get('/api', { authorization: `Bearer ${TOKEN}` });
    assert.equal(status, 401);
    const [line] = await about('"code":401');
    assert.equal(line.reason, 'the token is unknown');
    assert.equal((await about('the token is unknown')).length, 1);
    assert.ok(!plinth.output.includes(TOKEN));
  });

  it('has one line for each request that a webhook fails, which says once what is wrong', async () => {
    await plinth.send('POST', WEBHOOKS, {
      metadata: { name: 'down' },
      webhooks: [
        {
          name: 'down.example.com',
          clientConfig: { url: 'https://127.0.0.1:1/x' },
          rules: [
            {
              apiGroups: ['coordination.cluster.io'],
              apiVersions: ['*'],
              operations: ['CREATE'],
              resources: ['leases'],
            },
          ],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    const reply = (): Promise<{ status: number }> =>
      plinth.send('POST', LEASES, { metadata: { name: 'x' } });
    // the server sees the webhook soon
    await eventually(async () => (await reply()).status === 500, 'that the webhook is asked');
    for (let i = 1; i < FAILURES; i++) assert.equal((await reply()).status, 500);
    await plinth.get('/version/after');
    await about('/version/after');
    const told = await about('down.example.com');
    assert.equal(told.length, FAILURES);
    for (const line of told) {
      const text = JSON.stringify(line);
      assert.equal(line.code, 500);
      assert.equal(line.msg, 'request');
      assert.equal(text.match(/ECONNREFUSED/g)?.length, 1, text);
      assert.ok(text.length < MAX_LINE_BYTES, text);
      assert.ok(!text.includes('503'), text);
    }
  });
});
