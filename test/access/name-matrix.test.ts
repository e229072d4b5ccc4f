import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { AuditLog } from '../audit/audit-log.ts';
import { AdmissionWebhooks, Registrations } from '../support/admission-webhook.ts';
import { eventually, type Reply } from '../support/plinth.ts';
import { validatingPolicy } from '../support/policies.ts';
import { isRefused, People, rule } from './people.ts';

const STEMS = { coordination: 'leases', 'rbac.authorization': 'roles' } as const;
type Stem = keyof typeof STEMS;
const DOMAINS = ['cluster.io', 'k8s.io'] as const;
type Domain = (typeof DOMAINS)[number];

/** Every way to ask for objects of a group, none of which changes anything. */
const VERBS = {
  get: ['GET', '/there', ''],
  list: ['GET', '', ''],
  watch: ['GET', '', 'watch=1&timeoutSeconds=1'],
  create: ['POST', '', 'dryRun=All', 'new'],
  update: ['PUT', '/there', 'dryRun=All', 'there'],
  patch: ['PATCH', '/there', 'dryRun=All', 'there', 'merge-patch+json'],
  apply: ['PATCH', '/there', 'dryRun=All&fieldManager=m&force=true', 'there', 'apply-patch+yaml'],
  delete: ['DELETE', '/there', 'dryRun=All'],
  deletecollection: ['DELETE', '', 'dryRun=All'],
} as const;
type Verb = keyof typeof VERBS;
const EVERY = Object.keys(VERBS) as Verb[];
const WRITES = EVERY.slice(3);

const KINDS = { coordination: 'Lease', 'rbac.authorization': 'Role' } as const;
/** What `rbac.authorization` objects say; a Lease needs nothing. */
const grant = (group: string) => [rule('get', group, 'leases')];

/**
 * Each check, with the name of a group in its rule, by the name in the request, by
 * verb: what is allowed, refused or written down under one name is so under the other.
 */
describe('no check is passed by under the other name of a group', function () {
  let people: People;
  let webhooks: AdmissionWebhooks;
  let log: AuditLog;
  const registrations = new Registrations(() => people.plinth);
  /** Of what is there. */
  const versions = new Map<Stem, string>();
  const USERS = [
    ...DOMAINS.flatMap((domain) => [`by-${domain}`, `named-${domain}`, `may-${domain}`]),
    'stranger',
  ];

  before(async () => {
    log = new AuditLog([
      { level: 'RequestResponse', resources: [{ group: 'coordination.k8s.io' }] },
      { level: 'Request', resources: [{ group: 'rbac.authorization.cluster.io' }] },
      { level: 'None' },
    ]);
    people = await People.start(Object.fromEntries(USERS.map((user) => [user, []])), {
      args: log.args,
    });
    webhooks = await AdmissionWebhooks.start();
    const all = 'get list watch create update patch delete deletecollection';
    for (const domain of DOMAINS) {
      const rules = Object.entries(STEMS).map(([stem, plural]) =>
        rule(all, `${stem}.${domain}`, plural),
      );
      await people.clusterRole(`all-${domain}`, rules);
      await people.grant(`by-${domain}`, `all-${domain}`, 'default');
      await people.clusterRole(`named-${domain}`, [
        rule('get update patch delete', `coordination.${domain}`, 'leases', 'there'),
      ]);
      await people.grant(`named-${domain}`, `named-${domain}`, 'default');
      const escalate = rule('escalate', `rbac.authorization.${domain}`, 'roles');
      await people.clusterRole(`may-${domain}`, [...rules, escalate]);
      await people.grant(`may-${domain}`, `may-${domain}`, 'default');
    }
    const { plinth } = people;
    for (const stem of Object.keys(STEMS) as Stem[]) {
      const there = bodyOf(stem, 'cluster.io', { name: 'there' });
      const { json } = await plinth.send('POST', pathOf(stem, 'cluster.io'), there);
      versions.set(stem, json.metadata.resourceVersion);
    }
  });
  after(async () => {
    await people.dispose();
    await webhooks.close();
    log.dispose();
  });
  afterEach(() => registrations.clear());

  const pathOf = (stem: Stem, domain: Domain): string =>
    `/apis/${stem}.${domain}/v1/namespaces/default/${STEMS[stem]}`;
  const bodyOf = (stem: Stem, domain: Domain, metadata: object, rules: object[] = []) => ({
    apiVersion: `${stem}.${domain}/v1`,
    kind: KINDS[stem],
    metadata,
    ...(stem === 'coordination' ? {} : { rules }),
  });
  const ask = async (
    verb: Verb,
    stem: Stem,
    domain: Domain,
    { user, rules, id = '' }: { user?: string; rules?: object[]; id?: string } = {},
  ): Promise<Reply> => {
    const [method, name, query, written, type = 'json'] = VERBS[verb] as readonly string[];
    const metadata = {
      name: written,
      ...(verb === 'update' ? { resourceVersion: versions.get(stem) } : {}),
    };
    const body = written === undefined ? undefined : bodyOf(stem, domain, metadata, rules);
    const headers = {
      'content-type': `application/${type}`,
      ...(id === '' ? {} : { 'audit-id': id }),
    };
    const path = `${pathOf(stem, domain)}${name}?${query}`;
    return user === undefined
      ? people.plinth.send(method!, path, body, headers)
      : people.as(user, method!, path, body, headers);
  };
  /** Runs a check by each name that its rule may have and each that a request may have. */
  const byNames = async (
    verbs: readonly Verb[],
    check: (verb: Verb, rules: Domain, asked: Domain) => Promise<void>,
  ): Promise<void> => {
    for (const rules of DOMAINS) {
      for (const asked of DOMAINS) for (const verb of verbs) await check(verb, rules, asked);
    }
  };

  it('roles: who may, may under both, and who may not, may under neither', async () => {
    await byNames(EVERY, async (verb, rules, asked) => {
      for (const stem of Object.keys(STEMS) as Stem[]) {
        const allowed = await ask(verb, stem, asked, { user: `by-${rules}` });
        assert.ok(allowed.status < 300, `${verb} ${stem} ${rules} ${asked}: ${allowed.text}`);
        const refused = await ask(verb, stem, asked, { user: 'stranger' });
        assert.ok(isRefused(refused), `${verb} ${stem} ${asked}: ${refused.text}`);
      }
    });
  });

  it('roles that name objects: these under both, others and all under neither', async () => {
    await byNames(EVERY, async (verb, rules, asked) => {
      const reply = await ask(verb, 'coordination', asked, { user: `named-${rules}` });
      const may = ['get', 'update', 'patch', 'apply', 'delete'].includes(verb);
      assert.equal(isRefused(reply), !may, `${verb} ${rules} ${asked}: ${reply.text}`);
    });
  });

  it('reviews of access: the answer is one for both', async () => {
    await byNames(EVERY, async (verb, rules, asked) => {
      if (verb === 'apply') return;
      for (const [user, wanted] of [
        [`by-${rules}`, true],
        ['stranger', false],
      ] as const) {
        for (const review of DOMAINS) {
          const group = `coordination.${asked}`;
          const resourceAttributes = { verb, group, resource: 'leases', namespace: 'default' };
          const path = `/apis/authorization.${review}/v1/subjectaccessreviews`;
          const { json } = await people.plinth.send('POST', path, {
            spec: { user, resourceAttributes },
          });
          assert.equal(json.status.allowed, wanted, `${user} ${verb} ${asked}`);
          assert.equal(json.spec.resourceAttributes.group, group);
        }
      }
    });
  });

  it('escalation: rights that a user lacks are given away under neither', async () => {
    const writes = ['create', 'update', 'patch', 'apply'] as const;
    await byNames(writes, async (verb, rules, asked) => {
      for (const named of DOMAINS) {
        const user = `by-${asked}`;
        const held = await ask(verb, 'rbac.authorization', rules, {
          user,
          rules: grant(`coordination.${named}`),
        });
        assert.ok(held.status < 300, `${verb} ${rules} ${named}: ${held.text}`);
        const lacked = await ask(verb, 'rbac.authorization', rules, {
          user,
          rules: grant(`events.${named}`),
        });
        assert.equal(lacked.status, 403, `${verb} ${rules} ${named}: ${lacked.text}`);
      }
    });
  });

  for (const matchPolicy of ['Exact', 'Equivalent']) {
    it(`webhooks (${matchPolicy}): every write is refused under both`, async () => {
      webhooks.on('/denies', () => ({ allowed: false }));
      for (const rules of DOMAINS) {
        const hook = webhooks.hook('/denies', { rules: [everyWrite(rules)], matchPolicy });
        await registrations.webhooks('validating', 'denies', hook);
        await refusedUnderBoth(`webhook ${rules}`);
        await registrations.clear();
      }
    });

    it(`policies (${matchPolicy}): every write is refused under both`, async () => {
      for (const rules of DOMAINS) {
        await validatingPolicy(registrations, 'denies', {
          matchConstraints: { resourceRules: [everyWrite(rules)], matchPolicy },
          validations: [{ expression: 'false' }],
        });
        await refusedUnderBoth(`policy ${rules}`);
        await registrations.clear();
      }
    });
  }

  it('bindings that choose by group: every write is refused under both', async () => {
    for (const rules of DOMAINS) {
      await validatingPolicy(
        registrations,
        'denies',
        { validations: [{ expression: 'false' }] },
        { matchResources: { resourceRules: [everyWrite(rules)] } },
      );
      await refusedUnderBoth(`binding ${rules}`);
      await registrations.clear();
    }
  });

  it('the authorizer of expressions: rights count by both names, their lack by neither', async () => {
    for (const rules of DOMAINS) {
      for (const named of DOMAINS) {
        const resource = `authorizer.group('rbac.authorization.${named}').resource('roles')`;
        const expression = `${resource}.namespace('default').check('escalate').allowed()`;
        await validatingPolicy(registrations, 'asks', { validations: [{ expression }] });
        for (const asked of DOMAINS) {
          for (const verb of WRITES) {
            const what = `${verb} ${rules} ${named} ${asked}`;
            const may = await ask(verb, 'coordination', asked, { user: `may-${rules}` });
            assert.ok(may.status < 300, `${what}: ${may.text}`);
            const mayNot = await ask(verb, 'coordination', asked, { user: `by-${rules}` });
            assert.match(mayNot.text, /failed expression/, what);
          }
        }
        await registrations.clear();
      }
    }
  });

  const everyWrite = (domain: Domain) => ({
    operations: ['*'],
    apiGroups: [`coordination.${domain}`],
    apiVersions: ['v1'],
    resources: ['leases'],
  });
  const refusedUnderBoth = async (what: string): Promise<void> => {
    for (const asked of DOMAINS) {
      for (const verb of WRITES) {
        const { status, text } = await ask(verb, 'coordination', asked);
        assert.ok(status >= 400, `${what} ${verb} ${asked}: ${status} ${text}`);
        assert.match(text, /denied|failed expression/, `${what} ${verb} ${asked}`);
      }
    }
  };

  it('audit policies: every request is written at the level of its rule', async () => {
    const wanted: Record<Stem, string> = {
      coordination: 'RequestResponse',
      'rbac.authorization': 'Request',
    };
    for (const domain of DOMAINS) {
      for (const verb of EVERY) {
        for (const stem of Object.keys(STEMS) as Stem[]) {
          const id = `${stem}-${domain}-${verb}`;
          await ask(verb, stem, domain, { id });
          await eventually(() => log.text.includes(`"auditID":"${id}"`), `the event ${id}`);
          const line = log.text.split('\n').find((text) => text.includes(`"auditID":"${id}"`))!;
          assert.equal(JSON.parse(line).level, wanted[stem], id);
        }
      }
    }
  });
});
