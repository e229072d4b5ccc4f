import assert from 'node:assert/strict';
import { type ApiError } from '../api/api-error.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import type { JsonObject } from '../api/json.ts';
import { SYSTEM_USER } from '../api/user.ts';
import { Warnings } from '../api/warnings.ts';
import { World, type TestServer } from '../test/support/world.ts';
import { patch } from './patch.ts';
import { update } from './update.ts';
import { DEFAULT_WRITE_OPTIONS } from './write-options.ts';
import type { ObjectResult, WriteRequest } from './write-request.ts';

describe('writes that create what is not there', () => {
  let world: World;
  let server: TestServer;

  beforeEach(async () => {
    world = new World();
    server = await world.server();
    await server.namespace('a');
  });
  afterEach(() => world.stop());

  function request(fieldManager: string): WriteRequest {
    return {
      context: {
        user: SYSTEM_USER,
        warnings: new Warnings(),
        audit: new Map(),
        signal: undefined,
        defaultManager: 'test',
      },
      target: {
        resource: server.resource('coordination.cluster.io', 'leases'),
        namespace: 'a',
        name: 'l',
      },
      subresource: '',
      options: { ...DEFAULT_WRITE_OPTIONS, fieldManager },
    };
  }

  function lease(spec: JsonObject): { value: JsonObject; duplicates: [] } {
    const type = { apiVersion: 'coordination.cluster.io/v1', kind: 'Lease' };
    return { value: { ...type, metadata: { name: 'l' }, spec }, duplicates: [] };
  }

  const apply = (manager: string, spec: JsonObject): Promise<ObjectResult> =>
    patch(server.parts, request(manager), { type: 'apply', body: lease(spec) });

  it('apply to what another apply has created meanwhile', async () => {
    const results = await Promise.all([
      apply('one', { holderIdentity: 'h' }),
      apply('two', { leaseDurationSeconds: 5 }),
    ]);
    assert.deepEqual(results.map(({ created }) => created).sort(), [false, true]);
    const { item } = await world.store.get('coordination.cluster.io/leases/a/l');
    const { spec } = parseStoredJson(item!.value);
    assert.deepEqual(spec, { holderIdentity: 'h', leaseDurationSeconds: 5 });
  });

  it('are decided by the object that exists by then: a PUT then needs a resourceVersion', async () => {
    const put = (): Promise<ObjectResult> => update(server.parts, request('m'), lease({}));
    const outcomes = await Promise.allSettled([put(), put()]);
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as ApiError).code] : [],
    );
    assert.deepEqual(failures, [422]);
  });
});
