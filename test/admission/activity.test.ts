import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { People } from '../access/people.ts';
import {
  AdmissionWebhooks,
  lease,
  leasePath,
  Registrations,
} from '../support/admission-webhook.ts';
import { eventually } from '../support/plinth.ts';
import { jsonPatch, mutatingPolicy, validatingPolicy } from '../support/policies.ts';

const PAGE = '/debug/admission';
const GROUP = 'coordination.cluster.io';
const METRIC = /^plinth_admission_extension_\w+\{/;

describe('what webhooks and policies matched', () => {
  let people: People;
  let webhooks: AdmissionWebhooks;
  const registrations = new Registrations(() => people.plinth);
  before(async () => {
    people = await People.start({ ann: [], bob: [] });
    webhooks = await AdmissionWebhooks.start();
    await people.clusterRole('look', [{ nonResourceURLs: [PAGE], verbs: ['get'] }]);
    await people.clusterRole('leases', [
      { apiGroups: [GROUP], resources: ['leases'], verbs: ['get'] },
    ]);
    for (const name of ['ann', 'bob']) await people.grant(name, 'look');
    await people.grant('bob', 'leases', 'default');
    await eventually(
      async () =>
        (await people.as('ann', 'GET', PAGE)).status === 200 &&
        (await people.as('bob', 'GET', leasePath('none'))).status === 404,
      'the rights hold',
    );
  });
  after(async () => {
    await people.dispose();
    await webhooks.close();
  });
  afterEach(async () => {
    await registrations.clear();
    webhooks.reset();
  });

  const create = async (name: string, spec = {}): Promise<number> =>
    (await people.plinth.send('POST', leasePath(), lease({ name }, spec))).status;
  const update = async (name: string, spec: object): Promise<number> =>
    (
      await people.plinth.send(
        'PATCH',
        leasePath(name),
        { spec },
        { 'content-type': 'application/merge-patch+json' },
      )
    ).status;
  const item = async (name: string, user?: string): Promise<any> => {
    const { json } = user
      ? await people.as(user, 'GET', PAGE)
      : await people.plinth.send('GET', PAGE);
    return json.items.find((each: any) => each.name === name);
  };
  /** Operation, allowed, noted, refused, failed. */
  const counts = ({ matched }: any): unknown[][] =>
    matched.map(({ operation, allowed, noted, refused, failed }: any) => [
      ...[operation, allowed, noted, refused, failed],
    ]);
  const series = async (name: string): Promise<string[]> => {
    const { text } = await people.plinth.send('GET', '/metrics');
    return text
      .split('\n')
      .filter((line: string) => METRIC.test(line) && line.includes(`,name="${name}",`));
  };

  it('is counted for webhooks by resource and verb, with the last refusals', async () => {
    webhooks.on('/w', ({ object }) =>
      object.spec.holderIdentity === 'no'
        ? { allowed: false, status: { message: 'not this holder' } }
        : { allowed: true },
    );
    await registrations.webhooks('validating', 'holders', webhooks.hook('/w'));
    assert.equal(await create('one'), 201);
    assert.equal(await create('two'), 201);
    assert.equal(await create('three', { holderIdentity: 'no' }), 400);
    assert.equal(await update('one', { holderIdentity: 'yes' }), 200);
    webhooks.raw('/w', (response) => response.writeHead(500).end());
    assert.equal(await update('one', { holderIdentity: 'other' }), 500);
    const { kind, webhook, matched, refusals, hiddenRefusals } = await item('holders');
    assert.deepEqual([kind, webhook], ['ValidatingWebhookConfiguration', 'w.example.com']);
    assert.deepEqual(counts({ matched }), [
      ['CREATE', 2, 0, 1, 0],
      ['UPDATE', 1, 0, 0, 1],
    ]);
    for (const { group, resource, seconds, lastTime } of matched) {
      assert.deepEqual([group, resource], [GROUP, 'leases']);
      assert.ok(seconds > 0 && Date.parse(lastTime) > 0);
    }
    const [last, before] = refusals;
    assert.match(last.message, /failed calling webhook/);
    assert.deepEqual([last.outcome, last.operation, last.name], ['failed', 'UPDATE', 'one']);
    assert.match(before.message, /denied the request: not this holder$/);
    const { namespace, name, user, outcome } = before;
    assert.deepEqual([namespace, name, outcome], ['default', 'three', 'refused']);
    assert.equal(user, 'admin');
    assert.deepEqual([refusals.length, hiddenRefusals], [2, 0]);
    const labels = `kind="${kind}",name="holders",webhook="w.example.com",resource="leases.${GROUP}",operation="CREATE"`;
    const lines = await series('holders');
    for (const line of [
      `plinth_admission_extension_decisions_total{${labels},outcome="allowed"} 2`,
      `plinth_admission_extension_decisions_total{${labels},outcome="refused"} 1`,
      `plinth_admission_extension_duration_seconds_count{${labels}} 3`,
    ]) {
      assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
    }
  });

  it('shows refusals to users who may get the object, and only their number to others', async () => {
    await validatingPolicy(registrations, 'secretive', {
      validations: [{ expression: 'false', messageExpression: "'saw ' + object.metadata.name" }],
    });
    assert.equal(await create('seen'), 422);
    const [bobs, anns] = [await item('secretive', 'bob'), await item('secretive', 'ann')];
    assert.deepEqual(
      bobs.refusals.map(({ message }: any) => message),
      ['saw seen'],
    );
    assert.deepEqual([anns.refusals, anns.hiddenRefusals], [[], 1]);
    assert.deepEqual(counts(anns), [['CREATE', 0, 0, 1, 0]]);
  });

  it('counts policies: what is noted, what fails, and what their conditions leave out', async () => {
    await validatingPolicy(
      registrations,
      'warns',
      { validations: [{ expression: "object.spec.holderIdentity != 'x'", message: 'x' }] },
      { validationActions: ['Warn'] },
    );
    await validatingPolicy(registrations, 'passed-over', {
      failurePolicy: 'Ignore',
      validations: [{ expression: 'object.spec.leaseDurationSeconds > 0' }],
    });
    await validatingPolicy(registrations, 'left-out', {
      matchConditions: [{ name: 'never', expression: 'false' }],
      validations: [{ expression: 'false' }],
    });
    await mutatingPolicy(registrations, 'sets', [
      jsonPatch("[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]"),
    ]);
    assert.equal(await create('four', { holderIdentity: 'x' }), 201);
    assert.deepEqual(counts(await item('warns')), [['CREATE', 0, 1, 0, 0]]);
    const passedOver = await item('passed-over');
    assert.deepEqual(counts(passedOver), [['CREATE', 0, 0, 0, 1]]);
    assert.deepEqual(passedOver.refusals, []);
    assert.equal(await item('left-out'), undefined);
    const sets = await item('sets');
    assert.deepEqual(
      [sets.kind, counts(sets)],
      ['MutatingAdmissionPolicy', [['CREATE', 1, 0, 0, 0]]],
    );
  });

  it('is dropped with its configuration, and restarts at zero when the configuration is recreated', async () => {
    const spec = { validations: [{ expression: 'true' }] };
    await validatingPolicy(registrations, 'short', spec);
    assert.equal(await create('five'), 201);
    assert.ok((await series('short')).length > 0);
    await registrations.clear();
    assert.deepEqual([await series('short'), await item('short')], [[], undefined]);
    await validatingPolicy(registrations, 'short', spec);
    assert.equal(await create('six'), 201);
    assert.deepEqual(counts(await item('short')), [['CREATE', 1, 0, 0, 0]]);
  });

  it('keeps the last ten refusals, and is read-only', async () => {
    await validatingPolicy(registrations, 'never', { validations: [{ expression: 'false' }] });
    for (let i = 0; i < 12; i++) assert.equal(await create(`refused-${i}`), 422);
    const { refusals, hiddenRefusals, matched } = await item('never');
    assert.deepEqual(
      refusals.map(({ name }: any) => name),
      Array.from({ length: 10 }, (_, i) => `refused-${11 - i}`),
    );
    assert.deepEqual([hiddenRefusals, matched[0].refused], [0, 12]);
    assert.equal((await people.plinth.send('POST', PAGE, {})).status, 405);
  });
});
