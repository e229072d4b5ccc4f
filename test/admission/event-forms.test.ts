import assert from 'node:assert/strict';
import { AdmissionWebhooks, Registrations } from '../support/admission-webhook.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { configuration, mutatingPolicy, validatingPolicy } from '../support/policies.ts';

/** The forms of an Event, and what each calls its text and its object. */
const FORMS = {
  '': { text: 'message', object: 'involvedObject', controller: 'reportingComponent' },
  'events.k8s.io': { text: 'note', object: 'regarding', controller: 'reportingController' },
  'events.cluster.io': { text: 'note', object: 'regarding', controller: 'reportingController' },
} as const;
type Group = keyof typeof FORMS;
const GROUPS = Object.keys(FORMS) as Group[];

const WRITES = ['create', 'update', 'patch', 'apply', 'delete', 'deletecollection'] as const;
type Verb = (typeof WRITES)[number];

const apiVersionOf = (group: Group): string => (group === '' ? 'v1' : `${group}/v1`);
const pathOf = (group: Group): string =>
  `/${group === '' ? 'api' : 'apis'}/${apiVersionOf(group)}/namespaces/default/events`;

function eventOf(group: Group, name: string, text = 'as it came'): any {
  const names = FORMS[group];
  return {
    apiVersion: apiVersionOf(group),
    kind: 'Event',
    metadata: { name, namespace: 'default' },
    eventTime: '2024-01-02T03:04:05.000000Z',
    [names.object]: { apiVersion: 'v1', kind: 'Namespace', name: 'default', namespace: 'default' },
    [names.controller]: 'example.com/tester',
    reportingInstance: 'one',
    action: 'Told',
    reason: 'Because',
    type: 'Normal',
    [names.text]: text,
  };
}

const ruleOf = (group: Group) => ({
  operations: ['*'],
  apiGroups: [group],
  apiVersions: ['v1'],
  resources: ['events'],
});
const isSameForm = (a: Group, b: Group): boolean => FORMS[a].text === FORMS[b].text;

describe('admission of the two forms of an Event', function () {
  let plinth: Plinth;
  let webhooks: AdmissionWebhooks;
  const registrations = new Registrations(() => plinth);
  before(async () => {
    plinth = await Plinth.start();
    webhooks = await AdmissionWebhooks.start();
    const { status, text } = await plinth.send('POST', pathOf(''), eventOf('', 'there'));
    assert.equal(status, 201, text);
  });
  after(async () => {
    await plinth.dispose();
    await webhooks.close();
  });
  afterEach(() => registrations.clear());

  const ask = (verb: Verb, group: Group): Promise<Reply> => {
    const path = pathOf(group);
    const item = `${path}/there?dryRun=All`;
    const type = (name: string) => ({ 'content-type': `application/${name}` });
    switch (verb) {
      case 'create':
        return plinth.send('POST', `${path}?dryRun=All`, eventOf(group, 'new'));
      case 'update':
        return plinth.send('PUT', item, eventOf(group, 'there'));
      case 'patch':
        return plinth.send(
          'PATCH',
          item,
          { metadata: { labels: { a: 'b' } } },
          type('merge-patch+json'),
        );
      case 'apply': {
        const body = eventOf(group, 'there');
        return plinth.send(
          'PATCH',
          `${item}&fieldManager=m&force=true`,
          body,
          type('apply-patch+yaml'),
        );
      }
      case 'delete':
        return plinth.send('DELETE', item);
      case 'deletecollection':
        return plinth.send('DELETE', `${path}?dryRun=All`);
    }
  };
  const each = async (check: (rules: Group, asked: Group) => Promise<void>): Promise<void> => {
    for (const rules of GROUPS) for (const asked of GROUPS) await check(rules, asked);
  };

  for (const matchPolicy of ['Equivalent', 'Exact']) {
    const isRefused = (rules: Group, asked: Group): boolean =>
      matchPolicy === 'Equivalent' || isSameForm(rules, asked);

    it(`webhooks (${matchPolicy}) are asked about every write in ${matchPolicy === 'Exact' ? 'their form' : 'either form'}`, async () => {
      webhooks.on('/denies', () => ({ allowed: false }));
      for (const rules of GROUPS) {
        const hook = webhooks.hook('/denies', { rules: [ruleOf(rules)], matchPolicy });
        await registrations.webhooks('validating', 'denies', hook);
        for (const asked of GROUPS) {
          for (const verb of WRITES) {
            const { status, text } = await ask(verb, asked);
            const what = `rule ${rules} ${verb} ${asked}: ${text}`;
            assert.equal(status >= 400, isRefused(rules, asked), what);
            if (status >= 400) assert.match(text, /denied/, what);
          }
        }
        await registrations.clear();
      }
    });

    it(`policies (${matchPolicy}) judge every write in ${matchPolicy === 'Exact' ? 'their form' : 'either form'}`, async () => {
      for (const rules of GROUPS) {
        const { text: field } = FORMS[rules];
        await validatingPolicy(registrations, 'denies', {
          matchConstraints: { resourceRules: [ruleOf(rules)], matchPolicy },
          validations: [
            { expression: `(object == null ? oldObject : object).${field} != 'as it came'` },
          ],
        });
        for (const asked of GROUPS) {
          for (const verb of WRITES) {
            const { status, text } = await ask(verb, asked);
            const what = `rule ${rules} ${verb} ${asked}: ${text}`;
            assert.equal(status >= 400, isRefused(rules, asked), what);
            if (status >= 400) assert.match(text, /failed expression/, what);
          }
        }
        await registrations.clear();
      }
    });
  }

  it('a webhook is shown the form and the name that its rule uses', async () => {
    webhooks.on('/sees', () => ({ allowed: true }));
    await each(async (rules, asked) => {
      await registrations.webhooks(
        'validating',
        'sees',
        webhooks.hook('/sees', { rules: [ruleOf(rules)] }),
      );
      webhooks.reviews();
      assert.equal((await ask('update', asked)).status, 200);
      const request = webhooks.requests('/sees').at(-1);
      const what = `rule ${rules} asked ${asked}`;
      assert.deepEqual(request.kind, { group: rules, version: 'v1', kind: 'Event' }, what);
      assert.equal(request.resource.group, rules, what);
      assert.equal(isSameForm(request.requestKind.group, asked), true, what);
      for (const object of [request.object, request.oldObject]) {
        assert.equal(object.apiVersion, apiVersionOf(rules), what);
        assert.equal(object[FORMS[rules].text], 'as it came', what);
        assert.equal(object[FORMS[rules].object].name, 'default', what);
      }
      await registrations.clear();
    });
  });

  it('what a webhook or a policy changes in one form is so in the other', async () => {
    await each(async (rules, asked) => {
      const { text } = FORMS[rules];
      webhooks.on('/changes', () => ({
        allowed: true,
        patchType: 'JSONPatch',
        patch: Buffer.from(
          JSON.stringify([
            { op: 'replace', path: `/${FORMS[rules].controller}`, value: 'example.com/hook' },
          ]),
        ).toString('base64'),
      }));
      const hook = webhooks.hook('/changes', { rules: [ruleOf(rules)] });
      await registrations.webhooks('mutating', 'changes', hook);
      await mutatingPolicy(
        registrations,
        'adds',
        [configuration(`Object{${text}: object.${text} + '!'}`)],
        { matchConstraints: { resourceRules: [{ ...ruleOf(rules), operations: ['CREATE'] }] } },
      );
      const { status, json, text: answer } = await ask('create', asked);
      assert.equal(status, 201, answer);
      const wanted = {
        ...eventOf(asked, 'new', 'as it came!'),
        [FORMS[asked].controller]: 'example.com/hook',
      };
      for (const [key, value] of Object.entries(wanted)) {
        if (key !== 'metadata')
          assert.deepEqual(json[key], value, `rule ${rules} asked ${asked} ${key}`);
      }
      await registrations.clear();
    });
  });
});
