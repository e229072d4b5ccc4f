import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../admission/chain.ts';
import { AdmissionChain } from '../admission/chain.ts';
import { forbidden } from '../api/api-error.ts';
import type { JsonObject } from '../api/json.ts';
import { Running, World, type TestServer } from '../test/support/world.ts';
import { AvailabilityLoop } from './api-services/availability-loop.ts';
import { crdCleanupLoop } from './crd-cleanup-loop.ts';
import { crdNamesLoop } from './crd-names-loop.ts';
import type { Loop } from './loop.ts';
import { NamespaceLoop } from './namespaces/namespace-loop.ts';
import { LoopWriter } from './writer.ts';

/** An object that refuses every change, and that every loop reaches first. */
const STUBBORN = 'aaa';

const isStubborn = ({ name }: { name: string }): boolean => name.startsWith(STUBBORN);

describe('an object that cannot be written holds up no other one', () => {
  let world: World;
  let server: TestServer;
  let running: Running | undefined;

  beforeEach(async () => {
    world = new World();
    server = await world.server();
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
    await world.stop();
  });

  /** Begins the loop on a registry that refuses to change {@link STUBBORN}. */
  function run(loop: (parts: TestServer['parts']) => Loop): void {
    const refusing: AdmissionPlugin = {
      name: 'stubborn',
      handles: (operation, attributes) => operation !== 'CREATE' && isStubborn(attributes),
      validate: ({ name }) => Promise.reject(forbidden({ group: '', resource: 'x' }, name, 'no')),
    };
    running = new Running(
      server,
      loop({ ...server.parts, admission: new AdmissionChain([refusing]) }),
    );
  }

  function definition(name: string): JsonObject {
    const names = { plural: name, singular: `${name}one`, kind: name, listKind: `${name}List` };
    const schema = { openAPIV3Schema: { type: 'object' } };
    return {
      metadata: { name: `${name}.example.com` },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names,
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
  }
  const CRDS = { group: 'apiextensions.cluster.io', resource: 'customresourcedefinitions' };

  const wasToldOf = (): boolean => running!.failures.some((text) => text.includes('no'));

  it('namespaces', async () => {
    for (const name of [STUBBORN, 'team']) {
      await server.namespace(name);
      await server.delete({ resource: 'namespaces', name });
    }
    run((parts) => new NamespaceLoop(parts));
    await world.pass(60_000);
    assert.equal(await server.get({ resource: 'namespaces', name: 'team' }), undefined);
    assert.ok(wasToldOf());
    const before = running!.runners[0]!.state.failures;
    await world.pass(600_000);
    assert.ok(
      running!.runners[0]!.state.failures - before < 20,
      'tried again more and more rarely',
    );
  });

  it('definitions that go', async () => {
    for (const name of [STUBBORN, 'gadgets']) {
      await server.create(CRDS.group, CRDS.resource, definition(name));
      await server.delete({ ...CRDS, name: `${name}.example.com` });
    }
    run((parts) => crdCleanupLoop(parts, new LoopWriter(parts)));
    await world.pass(60_000);
    assert.equal(await server.get({ ...CRDS, name: 'gadgets.example.com' }), undefined);
    assert.ok(wasToldOf());
  });

  it('definitions that ask for names', async () => {
    const others = Array.from({ length: 20 }, (_, i) => `gadgets${i}`);
    for (const name of [...Array.from({ length: 8 }, (_, i) => `${STUBBORN}${i}`), ...others]) {
      await server.create(CRDS.group, CRDS.resource, definition(name));
    }
    run((parts) => crdNamesLoop(parts, new LoopWriter(parts)));
    await world.pass(60_000);
    for (const name of others) {
      const { status } = (await server.get({ ...CRDS, name: `${name}.example.com` }))!;
      assert.ok(JSON.stringify(status).includes('NamesAccepted'), name);
    }
    assert.ok(wasToldOf());
  });

  it('registered services', async () => {
    const services = { group: 'apiregistration.cluster.io', resource: 'apiservices' };
    for (const version of ['v1', 'v2']) {
      const group = version === 'v1' ? 'a.example.com' : 'b.example.com';
      const service = { namespace: 'a', name: 's' };
      const name = `${version}.${group}`;
      const spec = { group, version, groupPriorityMinimum: 1, versionPriority: 1, service };
      await server.create(services.group, services.resource, {
        metadata: { name },
        spec: { ...spec, insecureSkipTLSVerify: true },
      });
    }
    const refusing: AdmissionPlugin = {
      name: 'stubborn',
      handles: (operation, { name }) => operation !== 'CREATE' && name === 'v1.a.example.com',
      validate: ({ name }) => Promise.reject(forbidden({ group: '', resource: 'x' }, name, 'no')),
    };
    const parts = { ...server.parts, admission: new AdmissionChain([refusing]) };
    const result = { status: 'True', reason: 'Passed', message: 'it answers' } as const;
    running = new Running(server, new AvailabilityLoop(parts, () => Promise.resolve(result)));
    await world.pass(60_000);
    const { status } = (await server.get({ ...services, name: 'v2.b.example.com' }))!;
    assert.ok(JSON.stringify(status).includes('it answers'));
    assert.ok(wasToldOf());
  });
});
