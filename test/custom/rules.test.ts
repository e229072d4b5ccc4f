import assert from 'node:assert/strict';
import { cpuMs } from '../../bench/load/process.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

const CRDS = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
const GROUP = 'rules.example.com';
const WIDGETS = `/apis/${GROUP}/v1/namespaces/default/widgets`;

function crd(spec: unknown): unknown {
  return {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

const widget = (name: string, spec: unknown): unknown => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec,
});

const causes = ({ json }: Reply): unknown => json.details.causes;

describe('validation rules of custom resources', () => {
  const turns = new Turns();
  let plinth: Plinth;

  before(async () => {
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs });
    const spec = {
      type: 'object',
      properties: { min: { type: 'integer' }, max: { type: 'integer' } },
      'x-cluster-validations': [
        {
          rule: 'self.min <= self.max',
          messageExpression: '"%d is above %d".format([self.min, self.max])',
          fieldPath: '.min',
        },
        { rule: 'self.max >= oldSelf.max', message: 'max never shrinks' },
      ],
    };
    const created = await plinth.send('POST', CRDS, crd(spec));
    assert.equal(created.status, 201, created.text);
    await eventually(async () => (await plinth.get(WIDGETS)).status === 200, 'the resource');
  });
  after(() => plinth.dispose());

  it('refuses an object that breaks a rule, at the field that the rule names', async () => {
    const refused = await plinth.send('POST', WIDGETS, widget('a', { min: 3, max: 2 }));
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(causes(refused), [
      { reason: 'FieldValueInvalid', field: 'spec.min', message: 'Invalid value: 3 is above 2' },
    ]);
  });

  it('compares with the object before an update, and a patch', async () => {
    const created = await plinth.send('POST', WIDGETS, widget('b', { min: 1, max: 5 }));
    assert.equal(created.status, 201, created.text);
    const patch = JSON.stringify({ spec: { max: 4 } });
    const type = { 'content-type': 'application/merge-patch+json' };
    const refused = await plinth.send('PATCH', `${WIDGETS}/b`, patch, type);
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(causes(refused), [
      { reason: 'FieldValueInvalid', field: 'spec', message: 'Invalid value: max never shrinks' },
    ]);
    const grown = { ...created.json, spec: { min: 1, max: 6 } };
    assert.equal((await plinth.send('PUT', `${WIDGETS}/b`, grown)).status, 200);
  });

  it('refuses a definition whose rule does not compile, and says where', async () => {
    const spec = {
      type: 'object',
      properties: { min: { type: 'integer' } },
      'x-cluster-validations': [{ rule: 'self.minimum > 0' }],
    };
    const refused = await plinth.send('PUT', `${CRDS}/widgets.${GROUP}`, {
      ...(await plinth.get(`${CRDS}/widgets.${GROUP}`)).json,
      ...{ spec: (crd(spec) as { spec: unknown }).spec },
    });
    assert.equal(refused.status, 422, refused.text);
    const [cause] = causes(refused) as { field: string; message: string }[];
    assert.equal(
      cause!.field,
      'spec.validation.openAPIV3Schema.properties[spec].x-cluster-validations[0].rule',
    );
    assert.match(cause!.message, /undefined field 'minimum'/);
  });

  it('CEL bombs: refuses a definition whose rules exceed the cost limit, and says by how much', async () => {
    const items = { type: 'array', items: { type: 'string' } };
    const spec = {
      type: 'object',
      properties: { a: items, b: items },
      'x-cluster-validations': [{ rule: 'self.a.all(x, self.b.all(y, x != y))' }],
    };
    const name = 'costly.example.com';
    const definition = crd(spec) as { spec: { group: string }; metadata: { name: string } };
    definition.spec.group = name;
    definition.metadata.name = `widgets.${name}`;
    const refused = await plinth.send('POST', CRDS, definition);
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, /estimated rule cost exceeds budget by factor of more than 100x/);
  });

  it('lets pass with a warning what breaks a newer rule and has not changed', async () => {
    const created = await plinth.send('POST', WIDGETS, widget('old', { min: 1, max: 5 }));
    assert.equal(created.status, 201, created.text);
    await change({
      type: 'object',
      properties: { min: { type: 'integer' }, max: { type: 'integer' } },
      'x-cluster-validations': [{ rule: 'self.min > 1', message: 'min is two at least' }],
    });
    await eventually(async () => {
      const { status } = await plinth.send(
        'POST',
        `${WIDGETS}?dryRun=All`,
        widget('new', { min: 1 }),
      );
      return status === 422;
    }, 'the newer rule');
    const path = `${WIDGETS}/old`;
    const type = { 'content-type': 'application/merge-patch+json' };
    const labelled = await plinth.send('PATCH', path, { metadata: { labels: { a: 'b' } } }, type);
    assert.equal(labelled.status, 200, labelled.text);
    assert.match(String(labelled.headers['warning']), /min is two at least/);
    const changed = await plinth.send('PATCH', path, { spec: { max: 6 } }, type);
    assert.equal(changed.status, 422, changed.text);
  });

  it('CEL bombs: stops a rule that takes too many steps, within bounded work', async () => {
    const texts = { type: 'array', maxItems: 900, items: { type: 'string', maxLength: 5 } };
    const answer = await change({
      type: 'object',
      properties: { a: texts },
      'x-cluster-validations': [{ rule: 'self.a.all(x, self.a.all(y, x != "none"))' }],
    });
    assert.equal(answer.status, 200, answer.text);
    const a = Array.from({ length: 900 }, (_, i) => `t${i}`);
    let reply: Reply | undefined;
    await eventually(async () => {
      const begin = cpuMs(plinth.pid);
      reply = await plinth.send('POST', `${WIDGETS}?dryRun=All`, widget('much', { a }));
      assert.ok(cpuMs(plinth.pid) - begin < 5_000);
      return reply.status === 422;
    }, 'a refusal');
    assert.match(reply!.text, /call cost exceeds limit|cost budget/);
  });

  it('ReDoS: a pattern in an object is not compiled above the work limit', async () => {
    const answer = await change({
      type: 'object',
      properties: { pattern: { type: 'string' } },
      'x-cluster-validations': [{ rule: '!"none".matches(self.pattern)' }],
    });
    assert.equal(answer.status, 200, answer.text);
    const pattern = `(?i)${'[\u0100-\uffff]'.repeat(3_000)}`;
    let reply: Reply | undefined;
    await eventually(async () => {
      const begin = cpuMs(plinth.pid);
      reply = await plinth.send('POST', `${WIDGETS}?dryRun=All`, widget('heavy', { pattern }));
      assert.ok(cpuMs(plinth.pid) - begin < 2_000);
      return reply.status === 422;
    }, 'a refusal');
    assert.match(reply!.text, /pattern is too large/);
  });

  describe('ReDoS: definitions whose rules have large patterns are refused while others are served', () => {
    const pattern = (i: number): string => `(?i)${'[\u0100-\uffff]'.repeat(29)}${i}`;
    const term = (i: number): string => `!"a".matches("${pattern(i)}")`;
    const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
    const ruled = (...rules: string[]): unknown => ({
      type: 'object',
      'x-cluster-validations': rules.map((rule) => ({ rule })),
    });
    const version = (i: number): unknown => ({
      ...{ name: `v${i}`, served: true, storage: i === 0 },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: ruled(...numbers(5).map((j) => term(100 * i + j))) },
        },
      },
    });
    const hostile: Readonly<Record<string, [unknown[] | undefined, unknown, RegExp]>> = {
      'one rule': [
        undefined,
        ruled(numbers(50).map(term).join(' && ')),
        /the patterns of this expression would take too long/,
      ],
      'many rules': [
        undefined,
        ruled(...numbers(70).map(term)),
        /the patterns of all rules would take too long/,
      ],
      'many versions': [
        numbers(20).map(version),
        undefined,
        /the patterns of all rules would take too long/,
      ],
    };
    for (const [what, [versions, spec, why]] of Object.entries(hostile)) {
      it(what, async () => {
        const group = `${what.replace(' ', '-')}.example.com`;
        const definition: any = crd(spec);
        definition.metadata.name = `widgets.${group}`;
        Object.assign(definition.spec, { group }, versions && { versions });
        const send = (): Promise<Reply> => plinth.send('POST', CRDS, definition);
        const [{ status, text }, turnMs] = await whileOthersAreServed(send);
        assert.equal(status, 422, text.slice(0, 1_000));
        assert.match(text, why);
        assert.ok(turnMs < 2_000, `${Math.round(turnMs)} ms`);
      });
    }
  });

  it('more text of rules in all versions than can be compiled in passing is refused while others are served', async () => {
    const group = 'much-text.example.com';
    const rule = (i: number): unknown => ({
      rule: `self.size() < ${i}${' || true'.repeat(1_000)}`,
    });
    const version = (i: number): unknown => ({
      ...{ name: `v${i}`, served: true, storage: i === 0 },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              ...{ type: 'string', maxLength: 10 },
              'x-cluster-validations': Array.from({ length: 15 }, (_, j) => rule(100 * i + j)),
            },
          },
        },
      },
    });
    const definitionOf = (versions: number): unknown => {
      const definition: any = crd(undefined);
      definition.metadata.name = `widgets.${group}`;
      definition.spec.group = group;
      definition.spec.versions = Array.from({ length: versions }, (_, i) => version(i));
      return definition;
    };
    const send = (): Promise<Reply> => plinth.send('POST', CRDS, definitionOf(10));
    const [{ status, text }, turnMs] = await whileOthersAreServed(send);
    assert.equal(status, 422, text.slice(0, 1_000));
    assert.match(text, /spec\.versions\[2\].*more than 262144 characters in all versions/);
    assert.ok(turnMs < 2_000, `${Math.round(turnMs)} ms`);
    const two = await plinth.send('POST', CRDS, definitionOf(2));
    assert.equal(two.status, 201, two.text.slice(0, 1_000));
  });

  /** The longest turn of the server until the answer comes, in milliseconds of CPU; others are served meanwhile. */
  async function whileOthersAreServed(send: () => Promise<Reply>): Promise<[Reply, number]> {
    await turns.longest();
    const state = { isOver: false };
    const answer = send();
    void answer.finally(() => (state.isOver = true));
    while (!state.isOver) assert.equal((await plinth.get(WIDGETS)).status, 200);
    return [await answer, await turns.longest()];
  }

  /** Gives the kind another schema of `spec`. */
  async function change(spec: unknown): Promise<Reply> {
    const path = `${CRDS}/widgets.${GROUP}`;
    const { json } = await plinth.get(path);
    return plinth.send('PUT', path, { ...json, spec: (crd(spec) as { spec: unknown }).spec });
  }
});
