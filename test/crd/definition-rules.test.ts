import assert from 'node:assert/strict';
import { crd, CRDS, install, MERGE, patched, STRATEGIC } from '../support/custom.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';

const object = (properties: object, more: object = {}): any => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more } },
});

describe('what a definition may say', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start();
    await install(plinth, { plural: 'olds', kind: 'Old' });
  });
  after(() => plinth.dispose());

  let count = 0;
  const create = (definition: object, query = ''): Promise<Reply> => {
    const n = count++;
    return plinth.send(
      'POST',
      `${CRDS}?${query}`,
      crd({
        plural: `news${n}`,
        kind: `New${n}`,
        ...definition,
      }),
    );
  };
  async function refuses(definition: object, field: string, message: RegExp): Promise<void> {
    const reply = await create(definition, 'dryRun=All');
    assert.equal(reply.status, 422, reply.text);
    assert.equal(reply.json.details.causes[0].field, field);
    assert.match(reply.json.details.causes[0].message, message);
  }
  const column = (more: object): object => ({
    version: {
      additionalPrinterColumns: [{ name: 'X', type: 'string', jsonPath: '.spec.a', ...more }],
    },
  });

  it('a column may have the format name, and needs a path that can be read', async () => {
    assert.equal((await create(column({ format: 'name' }), 'dryRun=All')).status, 201);
    const field = 'spec.additionalPrinterColumns[0].JSONPath';
    await refuses(column({ jsonPath: '.spec[' }), field, /must be a valid JSON path/);
  });

  it('labelSelectorPath must point to a string', async () => {
    const scale = {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.spec.selector',
    };
    const withSelector = (type: string): object => ({
      schema: object({ replicas: { type: 'integer' }, selector: { type } }),
      version: { subresources: { scale } },
    });
    assert.equal((await create(withSelector('string'), 'dryRun=All')).status, 201);
    const field = 'spec.subresources.scale.labelSelectorPath';
    await refuses(withSelector('integer'), field, /must point to a field of type string/);
  });

  it('the URL of a webhook must not name a service of the cluster', async () => {
    const at = (url: string): object => ({
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { url }, conversionReviewVersions: ['v1'] },
        },
      },
    });
    assert.equal((await create(at('https://a.example.svc.com/x'), 'dryRun=All')).status, 201);
    for (const host of ['a.b.svc', 'a.b.svc:8443', 'a.b.svc.cluster.local']) {
      const field = 'spec.conversion.webhookClientConfig.url';
      await refuses(at(`https://${host}/x`), field, /must be set in service, not in url/);
    }
  });

  it('a definition that serves no version is accepted with a warning', async () => {
    const reply = await create({ version: { served: false } }, 'dryRun=All');
    assert.equal(reply.status, 201, reply.text);
    assert.match(String(reply.headers['warning']), /no version has served: true/);
  });

  it('a definition that would not be stored is refused before its schemas are checked', async () => {
    const text = { type: 'strange', description: 'x'.repeat(1000) };
    const many = Object.fromEntries(Array.from({ length: 1_600 }, (_, i) => [`p${i}`, text]));
    const stored = await create({ schema: object(many) });
    assert.equal(stored.status, 413, stored.text);
    const tried = await create({ schema: object(many) }, 'dryRun=All');
    assert.equal(tried.status, 422, tried.text);
  });

  it('a schema has a bounded number of alternatives', async () => {
    const all = (count: number): object => ({
      schema: object({ a: { type: 'integer', allOf: Array(count).fill({ minimum: 1 }) } }),
    });
    assert.equal((await create(all(4_000), 'dryRun=All')).status, 201);
    await refuses(all(4_001), 'spec.validation.openAPIV3Schema', /more than 4000 schemas below/);
  });

  it('unknown keys below items and additionalProperties are warned of, elsewhere refused', async () => {
    const odd = { type: 'object', odd: 1 };
    const schema = object({
      list: { type: 'array', items: odd },
      map: { type: 'object', additionalProperties: odd },
    });
    for (const validation of ['Strict', 'Warn']) {
      const warned = await create({ schema }, `fieldValidation=${validation}&dryRun=All`);
      assert.equal(warned.status, 201, warned.text);
      assert.match(String(warned.headers['warning']), /items\.odd.*additionalProperties\.odd/s);
    }
    const ignored = await create({ schema }, 'fieldValidation=Ignore&dryRun=All');
    assert.equal(ignored.headers['warning'], undefined);
    const elsewhere = await create({ schema: object({ odd }) }, 'fieldValidation=Strict');
    assert.equal(elsewhere.status, 400, elsewhere.text);
    assert.match(elsewhere.json.message, /unknown field "[^"]*\.odd\.odd"/);
  });

  it('conditions are merged by their type, and every one is validated', async () => {
    const status = `${CRDS}/olds.test.example.com/status`;
    const own = { type: 'Audit', status: 'True', reason: 'Fine', message: '' };
    const types = ({ json }: Reply): string[] =>
      json.status.conditions.map(({ type }: any) => type).sort();
    const merged = await patched(plinth, status, STRATEGIC, { status: { conditions: [own] } });
    assert.equal(merged.status, 200, merged.text);
    assert.deepEqual(types(merged), ['Audit', 'Established', 'NamesAccepted']);
    for (const [wrong, field] of [
      [{ type: 'Audit', status: 'Maybe' }, 'status'],
      [{ type: 'Other' }, 'status'],
      [{ status: 'True' }, 'type'],
    ] as const) {
      for (const type of [MERGE, STRATEGIC]) {
        const refused = await patched(plinth, status, type, { status: { conditions: [wrong] } });
        assert.ok(refused.status === 422 || refused.status === 400, refused.text);
        if (type === STRATEGIC && field === 'type') continue;
        assert.match(
          refused.json.details.causes[0].field,
          new RegExp(`conditions\\[\\d\\].${field}`),
        );
      }
    }
    assert.deepEqual(types(await plinth.get(status)), ['Audit', 'Established', 'NamesAccepted']);
  });

  it('an integer or string is published with its two types', async () => {
    const schema = object({ port: { 'x-kubernetes-int-or-string': true } });
    await install(plinth, { plural: 'ports', kind: 'Port', schema });
    const find = async (): Promise<any> => {
      const { json } = await plinth.get('/openapi/v3/apis/test.example.com/v1');
      return Object.entries<any>(json.components.schemas).find(([name]) =>
        name.endsWith('Port'),
      )?.[1];
    };
    await eventually(async () => (await find()) !== undefined, 'the document');
    assert.deepEqual((await find()).properties.spec.properties.port, {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
    });
  });

  it('a scale is published with the kind of its resource', async () => {
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    const schema = object({ size: { type: 'integer' } });
    const version = { subresources: { scale } };
    await install(plinth, { plural: 'scaled', kind: 'Scaled', schema, version });
    const find = async (): Promise<any> => {
      const { json } = await plinth.get('/openapi/v3/apis/test.example.com/v1');
      const path = Object.keys(json.paths).find((each) => each.endsWith('/scaled/{name}/scale'));
      return path === undefined ? undefined : json.paths[path];
    };
    await eventually(async () => (await find()) !== undefined, 'the document');
    for (const method of ['get', 'put', 'patch']) {
      assert.deepEqual((await find())[method]['x-kubernetes-group-version-kind'], {
        group: 'test.example.com',
        version: 'v1',
        kind: 'Scaled',
      });
    }
  });
});
