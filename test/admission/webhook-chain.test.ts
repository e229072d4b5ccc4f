import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { cpuMs } from '../../bench/load/process.ts';
import {
  AdmissionWebhooks,
  lease,
  leasePath,
  LEASES,
  patchWith,
  Registrations,
} from '../support/admission-webhook.ts';
import { MERGE, patched } from '../support/custom.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const annotate = (key: string, value: string): object => ({
  op: 'add',
  path: '/metadata/annotations',
  value: { [key]: value },
});
/** Adds a letter to the annotation `trace`. */
const trace =
  (letter: string) =>
  ({ object }: any): any =>
    patchWith(annotate('trace', `${object.metadata.annotations?.trace ?? ''}${letter}`));

describe('webhooks together', () => {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  const registrations = new Registrations(() => plinth);
  const create = (metadata: object = {}, query = ''): Promise<Reply> =>
    plinth.send('POST', leasePath() + query, lease(metadata));

  before(async () => {
    plinth = await Plinth.start();
    webhooks = await AdmissionWebhooks.start();
  });
  after(async () => {
    await plinth.dispose();
    await webhooks.close();
  });
  afterEach(async () => {
    await registrations.clear();
    webhooks.reset();
  });

  it('mutate one after the other, by the names of configurations and then in their lists', async () => {
    for (const letter of ['a', 'b', 'c', 'd']) webhooks.on(`/${letter}`, trace(letter));
    await registrations.webhooks('mutating', 'two', webhooks.hook('/d'));
    await registrations.webhooks('mutating', 'one', webhooks.hook('/c'), webhooks.hook('/a'));
    await registrations.webhooks('mutating', 'one-b', webhooks.hook('/b'));
    const { json } = await create();
    assert.equal(json.metadata.annotations.trace, 'cabd');
  });

  it('reinvocationPolicy Never: changed by another afterwards, it is not asked again', async () => {
    webhooks.on('/a', trace('a'));
    webhooks.on('/b', trace('b'));
    await registrations.webhooks('mutating', 'm', webhooks.hook('/a'), webhooks.hook('/b'));
    assert.equal((await create()).json.metadata.annotations.trace, 'ab');
  });

  it('reinvocationPolicy IfNeeded: changed by another afterwards, it is asked once more', async () => {
    webhooks.on('/a', trace('a'));
    webhooks.on('/b', trace('b'));
    const first = webhooks.hook('/a', { reinvocationPolicy: 'IfNeeded' });
    await registrations.webhooks('mutating', 'm', first, webhooks.hook('/b'));
    assert.equal((await create()).json.metadata.annotations.trace, 'aba');
  });

  it('reinvocationPolicy IfNeeded: unchanged since, it is not asked again', async () => {
    webhooks.on('/b', trace('b'));
    const last = webhooks.hook('/b', { reinvocationPolicy: 'IfNeeded' });
    await registrations.webhooks('mutating', 'm', webhooks.hook('/a'), last);
    await create();
    assert.equal(webhooks.requests().length, 2);
  });

  it("that change each other's result run at most two rounds", async () => {
    webhooks.on('/a', trace('a'));
    webhooks.on('/b', trace('b'));
    const reinvocationPolicy = 'IfNeeded';
    const both = ['/a', '/b'].map((path) => webhooks.hook(path, { reinvocationPolicy }));
    await registrations.webhooks('mutating', 'm', ...both);
    assert.equal((await create()).json.metadata.annotations.trace, 'abab');
  });

  it('validating webhooks see what mutating ones made, with defaults and a name', async () => {
    webhooks.on('/a', trace('a'));
    await registrations.webhooks('mutating', 'm', webhooks.hook('/a'));
    await registrations.webhooks('validating', 'v', webhooks.hook('/v'));
    await create({ name: undefined, generateName: 'made-' });
    const [mutating, validating] = webhooks.requests();
    assert.equal(mutating.name, undefined);
    assert.match(validating.name, /^made-/);
    const { annotations, uid } = validating.object.metadata;
    assert.equal(annotations.trace, 'a');
    assert.notEqual(uid, undefined);
  });

  it('validating webhooks are asked at the same time; the first in order that refuses is told', async () => {
    // Each answers when all have been asked, the last one first: asked in turn, none ever would.
    const refuse = (text: string, after: () => Promise<unknown>) => async (): Promise<any> => {
      await eventually(() => webhooks.server.requests.length === 3, 'that all are asked');
      await after();
      return { allowed: false, status: { message: text, code: 409, reason: 'Conflict' } };
    };
    const third = refuse('third', () => Promise.resolve());
    webhooks.on('/a', refuse('first', third));
    webhooks.on('/b', refuse('second', third));
    webhooks.on('/c', third);
    const hooks = ['/a', '/b', '/c'].map((path) => webhooks.hook(path));
    await registrations.webhooks('validating', 'v', ...hooks);
    const { status, json } = await create();
    assert.deepEqual([status, json.reason], [409, 'Conflict']);
    assert.equal(json.message, 'admission webhook "a.example.com" denied the request: first');
    assert.equal(webhooks.requests().length, 3);
  });

  for (const [what, status, told] of [
    ['no status', undefined, [400, undefined, ' denied the request without explanation']],
    ['a code below 400', { code: 200, message: 'm' }, [400, undefined, ' denied the request: m']],
    [
      'a code that HTTP has not',
      { code: 1000 },
      [400, undefined, ' denied the request without explanation'],
    ],
    ['a reason', { reason: 'Forbidden' }, [400, 'Forbidden', ' denied the request: Forbidden']],
    [
      'code and message',
      { code: 418, message: 'tea' },
      [418, undefined, ' denied the request: tea'],
    ],
  ] as const) {
    it(`denied with ${what}`, async () => {
      webhooks.on('/a', () => ({ allowed: false, status }));
      await registrations.webhooks('validating', 'v', webhooks.hook('/a'));
      const { status: code, json } = await create();
      const [wanted, reason, text] = told;
      assert.deepEqual(
        [code, json.code, json.reason, json.message],
        [wanted, wanted, reason, `admission webhook "a.example.com"${text}`],
      );
    });
  }

  it('warnings of webhooks reach the client, whether they allow or deny', async () => {
    for (const allowed of [true, false]) {
      webhooks.on('/a', () => ({ allowed, warnings: ['mind the gap'] }));
      await registrations.webhooks('validating', 'v', webhooks.hook('/a'));
      assert.match(String((await create()).headers.warning), /299 - "mind the gap"/);
      await registrations.clear();
    }
  });

  it('warnings that are too many are left out, and the answer still fits', async () => {
    webhooks.on('/a', () => ({
      allowed: true,
      warnings: Array.from({ length: 20_000 }, (_, i) => `${i} ${'x'.repeat(100)}`),
    }));
    await registrations.webhooks('validating', 'v', webhooks.hook('/a'));
    const { status, headers } = await create();
    assert.equal(status, 201);
    assert.match(String(headers.warning), /^299 - "0 x{100}", 299 - "1 x{100}"/);
  });

  it('a request is shown with who asks, its options and both objects', async () => {
    const { json } = await create();
    await registrations.webhooks('validating', 'v', webhooks.hook('/a'));
    const path = `${leasePath(json.metadata.name)}?fieldManager=tool&fieldValidation=Strict`;
    await patched(plinth, path, MERGE, { spec: { holderIdentity: 'me' } });
    const [request] = webhooks.requests();
    assert.equal(request.userInfo.username, 'admin');
    assert.deepEqual(request.userInfo.groups.includes('system:masters'), true);
    assert.deepEqual(request.options, {
      kind: 'UpdateOptions',
      apiVersion: 'meta.cluster.io/v1',
      fieldManager: 'tool',
      fieldValidation: 'Strict',
    });
    assert.equal(request.object.spec.holderIdentity, 'me');
    assert.deepEqual(request.oldObject.spec, {});
    assert.match(request.uid, /^[0-9a-f-]{36}$/);
  });

  it('what a mutating webhook makes is validated like anything else', async () => {
    webhooks.on('/a', () =>
      patchWith({ op: 'add', path: '/spec/leaseDurationSeconds', value: -1 }),
    );
    await registrations.webhooks('mutating', 'm', webhooks.hook('/a'));
    const { status, json } = await create();
    assert.equal(status, 422);
    assert.equal(json.details.causes[0].field, 'spec.leaseDurationSeconds');
  });

  it('a patch of an object that is deleted is refused', async () => {
    const { json } = await create();
    webhooks.on('/a', () => patchWith({ op: 'remove', path: '/spec' }));
    const rules = [{ ...LEASES, operations: ['DELETE'] }];
    await registrations.webhooks('mutating', 'm', webhooks.hook('/a', { rules }));
    const refused = await plinth.send('DELETE', leasePath(json.metadata.name));
    assert.equal(refused.status, 500);
    assert.match(refused.json.message, /attempted to modify the object, which is not supported/);
    assert.equal((await plinth.get(leasePath(json.metadata.name))).status, 200);
  });

  it('connections are used again', async () => {
    let connections = 0;
    webhooks.server.server.on('secureConnection', () => connections++);
    await registrations.webhooks('validating', 'v', webhooks.hook('/a'));
    for (let i = 0; i < 20; i++) assert.equal((await create({}, '?dryRun=All')).status, 201);
    assert.ok(connections <= 1, `${connections} connections`);
  });

  it('a webhook that hangs for 30 seconds does not reduce the throughput of other requests', async function () {
    const WRITES = 150;
    const base = '/api/v1/namespaces';
    /** CPU of the server for the writes of others. */
    const measure = async (): Promise<number> => {
      const started = cpuMs(plinth.pid);
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next++ < WRITES) {
          const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'free-' } };
          assert.equal((await plinth.send('POST', `${base}?dryRun=All`, body)).status, 201);
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
      return cpuMs(plinth.pid) - started;
    };
    await measure();
    const undisturbed = Math.min(await measure(), await measure());
    webhooks.on('/a', () => undefined);
    await registrations.webhooks('validating', 'v', webhooks.hook('/a', { timeoutSeconds: 30 }));
    let answered = 0;
    const waiting = Array.from({ length: 100 }, async () => {
      const { status } = await create({}, '?timeout=20s');
      answered++;
      return status;
    });
    await eventually(() => webhooks.server.requests.length === 100, 'all of them wait');
    // They cost nothing more: the least of a few, since garbage may be collected in one of them.
    let disturbed = Infinity;
    for (let i = 0; i < 5 && disturbed > undisturbed / 0.6; i++) {
      disturbed = Math.min(disturbed, await measure());
      if (i === 0) assert.equal(answered, 0, 'the others have waited for the webhook');
    }
    assert.ok(disturbed < undisturbed / 0.6, `${disturbed} ms instead of ${undisturbed}`);
    for (const status of await Promise.all(waiting)) assert.equal(status, 504);
  });
});
