import assert from 'node:assert/strict';
import { install } from '../support/custom.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const LEASES = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
const ALIASED = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const GROUP = 'test.example.com';

describe('field selectors on any path of the schema', () => {
  let plinth: Plinth;
  let crates: string;
  before(async () => {
    plinth = await Plinth.start();
    crates = await install(plinth, { plural: 'crates', kind: 'Crate', versions: VERSIONS });
    await made(LEASES, lease('a', { holderIdentity: 'one', leaseDurationSeconds: 15 }));
    await made(LEASES, lease('b', { holderIdentity: 'two', leaseDurationSeconds: 15 }));
    await made(LEASES, lease('c', {}));
    const ready = (status: string): object => ({
      conditions: [
        { type: 'Synced', status: 'True' },
        { type: 'Ready', status },
      ],
    });
    await made(crates, crate('x', { size: 3, free: { 'a.b': 'deep' } }, ready('True')));
    await made(crates, crate('y', { size: 5 }, ready('False')));
    await made(crates, crate('z', {}));
  });
  after(() => plinth.dispose());

  async function made(path: string, body: object): Promise<any> {
    const reply = await plinth.send('POST', path, body);
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  }

  const by = (path: string, selector: string, more = ''): Promise<Reply> =>
    plinth.get(`${path}?fieldSelector=${encodeURIComponent(selector)}${more}`);

  async function names(path: string, selector: string): Promise<string> {
    const reply = await by(path, selector);
    assert.equal(reply.status, 200, `${selector}: ${reply.text}`);
    return reply.json.items.map((item: any) => item.metadata.name).join(' ');
  }

  async function refusal(path: string, selector: string): Promise<string> {
    const { status, json } = await by(path, selector);
    assert.equal(status, 400, selector);
    return json.message;
  }

  it('select a list of a built-in kind with every operator, under both names', async () => {
    for (const path of [LEASES, ALIASED]) {
      assert.equal(await names(path, 'spec.holderIdentity=one'), 'a');
      assert.equal(await names(path, 'spec.holderIdentity==one'), 'a');
      assert.equal(await names(path, 'spec.holderIdentity!=one'), 'b c');
      assert.equal(await names(path, 'spec.holderIdentity in (one,two)'), 'a b');
      assert.equal(await names(path, 'spec.holderIdentity notin (one, x)'), 'b c');
      assert.equal(await names(path, 'spec.holderIdentity'), 'a b');
      assert.equal(await names(path, '!spec.holderIdentity'), 'c');
      assert.equal(await names(path, 'spec.leaseDurationSeconds=15,metadata.name!=a'), 'b');
      assert.equal(await names(path, 'metadata.name in (a,c)'), 'a c');
      assert.equal(await names(path, 'metadata.name=a,spec.holderIdentity=two'), '');
      assert.equal(await names(path, 'spec.holderIdentity='), 'c');
    }
    assert.equal(await names(ALIASED, 'apiVersion=coordination.k8s.io/v1'), 'a b c');
  });

  it('select Events with every operator by the names of either group', async () => {
    const events = '/apis/events.cluster.io/v1/namespaces/default/events';
    const made = await plinth.send('POST', events, {
      metadata: { name: 'e1' },
      ...{ regarding: { kind: 'ConfigMap', name: 'p', namespace: 'default' }, reason: 'Tested' },
      ...{ reportingController: 'example.com/c', reportingInstance: 'c-1', action: 'Test' },
      ...{ eventTime: '2024-01-01T00:00:00.000000Z', type: 'Normal' },
    });
    assert.equal(made.status, 201, made.text);
    for (const [path, name, component] of [
      ['/api/v1/namespaces/default/events', 'involvedObject.name', 'reportingComponent'],
      [events, 'regarding.name', 'reportingController'],
    ] as const) {
      const only = 'metadata.name=e1';
      for (const [condition, expected] of [
        [`${name}=p`, 'e1'],
        [`${name} in (p,q)`, 'e1'],
        [`${name} in (q)`, ''],
        [`${name} notin (p)`, ''],
        [`${name} notin (q)`, 'e1'],
        [`${component} in (example.com/c)`, 'e1'],
        [`${component} notin (example.com/c)`, ''],
        [`reason in (Tested)`, 'e1'],
      ] as const) {
        assert.equal(await names(path, `${only},${condition}`), expected, condition);
      }
    }
  });

  it('select custom resources by what the version shows', async () => {
    assert.equal(await names(crates, 'spec.size=3'), 'x');
    assert.equal(await names(crates, 'spec.color=grey'), 'x y z', 'a default counts');
    assert.equal(await names(crates, 'status.conditions[?type=Ready].status=True'), 'x');
    assert.equal(
      await names(crates, 'status.conditions[?type=Ready].status in (True,False)'),
      'x y',
    );
    assert.equal(await names(crates, 'status.conditions[1].type=Ready,spec.size!=3'), 'y');
    assert.equal(await names(crates, 'spec.free["a.b"]=deep'), 'x', 'what the schema leaves open');
    const v2 = crates.replace('/v1/', '/v2/');
    assert.equal(await names(v2, 'spec.size=3'), 'x');
    assert.match(await refusal(v2, 'spec.color=grey'), /not supported: spec\.color/);
  });

  it('select pages, at an exact revision too', async () => {
    const { json } = await by(LEASES, 'spec.leaseDurationSeconds=15', '&limit=1');
    assert.deepEqual(
      json.items.map((item: any) => item.metadata.name),
      ['a'],
    );
    const next = await by(
      LEASES,
      'spec.leaseDurationSeconds=15',
      `&limit=1&continue=${json.metadata.continue}`,
    );
    assert.deepEqual(
      next.json.items.map((item: any) => item.metadata.name),
      ['b'],
    );
  });

  it('refuse a path that the schema does not have, and name it', async () => {
    for (const [path, selector, why] of [
      [LEASES, 'spec.nothing=x', /not supported: spec\.nothing/],
      [LEASES, 'spec.nothing in (x)', /no field "nothing"/],
      [LEASES, 'spec in (x)', /more than one value/],
      [LEASES, 'spec.holderIdentity.more', /no field "more"/],
      [LEASES, 'metadata.finalizers.x', /goes through a list/],
      [crates, 'status.conditions[?colour=x].status=a', /by a field that it does not have/],
      [crates, 'spec[0]', /not a list/],
      [crates, 'status.conditions[?type=Ready.status', /it ends at character 37/],
      [LEASES, 'metadata.name', /can't understand/],
      [LEASES, '.spec.holderIdentity=one', /not supported/],
    ] as const) {
      assert.match(await refusal(path, selector), why, selector);
      const watched = await by(path, selector, '&watch=1');
      assert.equal(watched.status, 400, selector);
      const deleted = await plinth.send(
        'DELETE',
        `${path}?fieldSelector=${encodeURIComponent(selector)}`,
      );
      assert.equal(deleted.status, 400, selector);
    }
  });

  it('let objects enter and leave a watch', async () => {
    const frames: string[] = [];
    const selector = encodeURIComponent('spec.size in (7,8),status.conditions[?type=Ready].status');
    const stream = await plinth.watch(
      `${crates}?watch=1&fieldSelector=${selector}`,
      ({ type, object }) => frames.push(`${type} ${object.metadata.name} ${object.spec.size}`),
    );
    const change = async (name: string, size: number): Promise<void> => {
      const reply = await plinth.send(
        'PATCH',
        `${crates}/${name}`,
        JSON.stringify({ spec: { size } }),
        {
          'content-type': 'application/merge-patch+json',
        },
      );
      assert.equal(reply.status, 200, reply.text);
    };
    await change('y', 7);
    await change('z', 7);
    await change('y', 8);
    await change('y', 5);
    await change('x', 7);
    await change('x', 3);
    await eventually(() => frames.length >= 5, 'five frames');
    stream.close();
    assert.deepEqual(frames, [
      'ADDED y 7',
      'MODIFIED y 8',
      'DELETED y 8',
      'ADDED x 7',
      'DELETED x 7',
    ]);
  });

  it('select what a deletion of a collection deletes', async () => {
    for (const name of ['d', 'e']) await made(LEASES, lease(name, { holderIdentity: name }));
    const selector = encodeURIComponent(
      'spec.holderIdentity notin (one,two,e),spec.holderIdentity',
    );
    const reply = await plinth.send('DELETE', `${ALIASED}?fieldSelector=${selector}`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(await names(LEASES, 'metadata.name!=x'), 'a b c e');
    await plinth.send('DELETE', `${LEASES}/e`);
  });

  it('keep to the declared fields in the strict mode of names', async () => {
    const strict = await Plinth.start({ args: ['--kubernetes-names', 'off'] });
    try {
      const reply = await strict.get(`${LEASES}?fieldSelector=spec.holderIdentity%3Done`);
      assert.equal(reply.status, 400);
    } finally {
      await strict.dispose();
    }
  });
});

function lease(name: string, spec: object): object {
  return {
    apiVersion: 'coordination.cluster.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'default' },
    spec,
  };
}

function crate(name: string, spec: object, status: object = {}): object {
  return { apiVersion: `${GROUP}/v1`, kind: 'Crate', metadata: { name }, spec, status };
}

const text = { type: 'string' };
const spec = (fields: object): object => ({ type: 'object', properties: fields });
const status = spec({
  conditions: { type: 'array', items: spec({ type: text, status: text }) },
});
const VERSIONS = [
  {
    name: 'v1',
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: spec({
        spec: spec({
          size: { type: 'integer' },
          color: { ...text, default: 'grey' },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        }),
        status,
      }),
    },
  },
  {
    name: 'v2',
    served: true,
    storage: false,
    schema: { openAPIV3Schema: spec({ spec: spec({ size: { type: 'integer' } }), status }) },
  },
];
