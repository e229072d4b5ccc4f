import assert from 'node:assert/strict';
import { SYSTEM_USER } from '../api/user.ts';
import { Warnings } from '../api/warnings.ts';
import type { CallOptions } from '../storage/interface.ts';
import { World } from '../test/support/world.ts';
import { create } from './create.ts';
import { DEFAULT_DELETE_OPTIONS } from './delete-options.ts';
import { deleteObject } from './delete.ts';
import { patch } from './patch.ts';
import { update } from './update.ts';
import { DEFAULT_WRITE_OPTIONS } from './write-options.ts';

describe('a write', () => {
  it('passes its caller to the store, which answers callers in turns', async () => {
    const world = new World();
    const server = await world.server();
    await server.namespace('a');
    const callers: unknown[] = [];
    const { store } = world;
    const noted = <A extends unknown[], R>(write: (...args: A) => R) => {
      return (...args: A): R => {
        callers.push((args.at(-1) as CallOptions).caller);
        return write(...args);
      };
    };
    store.create = noted(store.create.bind(store));
    store.update = noted(store.update.bind(store));
    store.delete = noted(store.delete.bind(store));

    const resource = server.resource('coordination.cluster.io', 'leases');
    const request = (user: string) => ({
      context: {
        user: { ...SYSTEM_USER, name: user },
        warnings: new Warnings(),
        audit: new Map<string, string>(),
        signal: undefined,
        defaultManager: 'test',
      },
      target: { resource, namespace: 'a', name: 'l' },
      subresource: '',
      options: DEFAULT_WRITE_OPTIONS,
    });
    const lease = (holderIdentity: string) => ({
      value: {
        ...{ apiVersion: 'coordination.cluster.io/v1', kind: 'Lease', metadata: { name: 'l' } },
        spec: { holderIdentity },
      },
      duplicates: [],
    });
    await create(server.parts, request('creator'), lease('h'));
    await patch(server.parts, request('patcher'), {
      type: 'merge',
      text: '{"spec":{"holderIdentity":"i"}}',
    });
    const { item } = await store.get('coordination.cluster.io/leases/a/l');
    const replaced = lease('j');
    Object.assign(replaced.value.metadata, { resourceVersion: String(item?.revision) });
    await update(server.parts, request('updater'), replaced);
    await deleteObject(server.parts, { ...request('deleter'), options: DEFAULT_DELETE_OPTIONS });
    assert.deepEqual(callers, ['creator', 'patcher', 'updater', 'deleter']);
    await world.stop();
  });
});
