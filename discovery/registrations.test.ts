import assert from 'node:assert/strict';
import type { JsonObject } from '../api/json.ts';
import type { Discovery } from './discovery.ts';
import type { Registration, Registrations } from './registrations.ts';
import { customDefinition, requestOf } from './testing/definitions.ts';
import { bodyOf, failure, names, NEUTRAL, served, setCustom } from './testing/served.ts';

describe('discovery with registrations', () => {
  class Fixed implements Registrations {
    generation = 1;
    #list: Registration[] = [];

    set(...list: [group: string, version: string, groupMinimum: number, version: number][]): void {
      this.#list = list.map(([group, version, groupPriorityMinimum, versionPriority]) => ({
        group,
        version,
        groupPriorityMinimum,
        versionPriority,
        remote: undefined,
      }));
      this.generation++;
    }
    add(registration: Registration): void {
      this.#list.push(registration);
      this.generation++;
    }
    list(): Registration[] {
      return this.#list;
    }
  }

  function versionsOf(discovery: Discovery, group: string): string[] {
    const { versions } = bodyOf(discovery, `/apis/${group}`) as unknown as {
      versions: { version: string }[];
    };
    return versions.map(({ version }) => version);
  }

  it('orders groups by the highest priority of their versions, then by name', () => {
    const registrations = new Fixed();
    const custom = ['b.io', 'a.io', 'c.io'].map((group) =>
      customDefinition({ group, kind: 'Thing', versions: ['v1', 'v2'] }),
    );
    const { discovery } = served(custom, registrations);
    assert.deepEqual(names(discovery), ['coordination.cluster.io', 'a.io', 'b.io', 'c.io']);
    registrations.set(['c.io', 'v1', 1500, 100]);
    assert.deepEqual(names(discovery), ['coordination.cluster.io', 'c.io', 'a.io', 'b.io']);
    registrations.set(['c.io', 'v1', 20000, 100]);
    assert.deepEqual(names(discovery), ['c.io', 'coordination.cluster.io', 'a.io', 'b.io']);
  });

  it('orders versions by priority, and by name where priorities are equal', () => {
    const registrations = new Fixed();
    const { discovery } = served([], registrations);
    registrations.set(['g.io', 'v1', 1500, 20], ['g.io', 'v2alpha1', 1500, 50]);
    assert.deepEqual(versionsOf(discovery, 'g.io'), ['v2alpha1', 'v1']);
    registrations.set(['g.io', 'v1', 1500, 51], ['g.io', 'v2alpha1', 1500, 50]);
    assert.deepEqual(versionsOf(discovery, 'g.io'), ['v1', 'v2alpha1']);
    const order = 'v10 v2 v1 v11beta2 v10beta3 v3beta1 v12alpha1 v11alpha2 foo1 foo10'.split(' ');
    registrations.set(
      ...[...order].sort().map((v): [string, string, number, number] => ['g.io', v, 1500, 20]),
    );
    assert.deepEqual(versionsOf(discovery, 'g.io'), order);
  });

  it('prefers a version of a CRD that was registered by hand, also after the CRD is gone', () => {
    const registrations = new Fixed();
    registrations.set(['lamps.io', 'v1beta1', 1200, 500]);
    const lamps = customDefinition({
      group: 'lamps.io',
      kind: 'Lamp',
      versions: ['v1', 'v1beta1'],
    });
    const { catalog, discovery } = served([lamps], registrations);
    assert.deepEqual(versionsOf(discovery, 'lamps.io'), ['v1beta1', 'v1']);
    setCustom(catalog, []);
    assert.deepEqual(versionsOf(discovery, 'lamps.io'), ['v1beta1']);
    assert.equal(failure(discovery, '/apis/lamps.io/v1beta1'), 404);
  });

  it('shows what another server serves, and leaves its own documents to that server', () => {
    const registrations = new Fixed();
    const resources = [{ resource: 'metrics', scope: 'Namespaced' }];
    registrations.add({
      group: 'metrics.io',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      remote: { freshness: 'Stale', resources },
    });
    const { discovery } = served([], registrations);
    const { items } = bodyOf(discovery, '/apis', NEUTRAL) as unknown as { items: JsonObject[] };
    assert.deepEqual(items.at(-1), {
      metadata: { name: 'metrics.io' },
      versions: [{ version: 'v1', resources, freshness: 'Stale' }],
    });
    assert.deepEqual(versionsOf(discovery, 'metrics.io'), ['v1']);
    assert.equal(discovery.handle(requestOf('/apis/metrics.io/v1')), undefined);
  });
});
