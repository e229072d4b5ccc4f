import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isObject, type JsonObject } from '../../api/json.ts';
import { canonicalJson } from '../../api/json-write.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { variantOf } from '../../resources/testing/arbitrary.ts';
import { StructuralSchema } from '../../schema/structure/structural.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { collectionOf, itemOf, NAMESPACE_OBJECT, objectOf } from './objects.ts';
import { KINDS } from './operations.ts';

const GATES =
  'CoordinatedLeaderElection=true,DynamicResourceAllocation=true,TaintTolerationComparisonOperators=true';
const RUNS = 12;
const UNMERGEABLE = /duplicate entries|may not have a null element|omits all key fields/;
const APPLY = { 'content-type': 'application/apply-patch+yaml' };
const MERGE = { 'content-type': 'application/merge-patch+json' };
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

/** Loops of the server write to these by themselves. */
const BUSY: ReadonlySet<string> = new Set([
  'APIService',
  'ClusterRole',
  'CustomResourceDefinition',
  'Namespace',
  'ResourceQuota',
  'ServiceCIDR',
]);
/** Names that say what is in the object. */
const NAMED: ReadonlySet<string> = new Set(['APIService', 'CustomResourceDefinition', 'IPAddress']);

/** Objects like the sample save for a few parts; webhooks still ask about nothing that the tests do. */
function likely(resource: ServedResource): fc.Arbitrary<JsonObject> {
  const sample = objectOf(resource);
  const { metadata, apiVersion, kind } = sample;
  return variantOf(sample, withoutSchemas(resource.version.schema())).map((variant) => {
    const object: JsonObject = {
      ...(variant as JsonObject),
      apiVersion,
      kind,
      metadata,
    } as JsonObject;
    const webhooks = object['webhooks'];
    if (!Array.isArray(webhooks)) return object;
    const rules = (sample['webhooks'] as JsonObject[])[0]?.['rules'];
    const harmless = webhooks.map((each) => (isObject(each) ? { ...each, rules } : each));
    return { ...object, webhooks: harmless } as JsonObject;
  });
}

const OPAQUE = new StructuralSchema({ type: 'object' });

/** The schemas in definitions contain themselves, and are tested where they are compiled. */
function withoutSchemas(node: StructuralSchema): StructuralSchema {
  const { items, properties } = node;
  if (properties?.has('openAPIV3Schema') === true) return OPAQUE;
  return node.with({
    ...(items === undefined ? {} : { items: withoutSchemas(items) }),
    ...(properties === undefined
      ? {}
      : { properties: new Map([...properties].map(([name, p]) => [name, withoutSchemas(p)])) }),
  });
}

/** What the client decides: all but what the server and its loops note. */
function content(kind: string, json: JsonObject): JsonObject {
  const { metadata, status, rules, ...rest } = json;
  const { labels, annotations } = metadata as JsonObject;
  const isAggregated = json['aggregationRule'] !== undefined;
  return {
    ...rest,
    labels,
    annotations,
    ...(BUSY.has(kind) ? {} : { status }),
    ...(isAggregated ? {} : { rules }),
  } as JsonObject;
}

/** One object through its life; says whether it was accepted. */
class Life {
  readonly #plinth: Plinth;
  readonly #resource: ServedResource;
  readonly #object: JsonObject;
  readonly #path: string;

  constructor(plinth: Plinth, resource: ServedResource, object: JsonObject) {
    this.#plinth = plinth;
    this.#resource = resource;
    this.#object = object;
    this.#path = itemOf(resource, (object['metadata'] as { name: string }).name);
  }

  async live(): Promise<boolean> {
    const created = await this.#plinth.send(
      'POST',
      collectionOf(this.#resource),
      canonicalJson(this.#object),
    );
    if (created.status !== 201) {
      assertRefused(created);
      return false;
    }
    try {
      await this.#readBack(created);
      await this.#update();
      await this.#apply();
      await this.#table();
    } finally {
      await this.#delete();
    }
    return true;
  }

  async #readBack(created: Reply): Promise<void> {
    const read = await this.#plinth.get(this.#path);
    if (this.#isQuiet()) assert.equal(read.text, created.text);
    else assert.deepEqual(this.#content(read), this.#content(created));
  }

  async #update(): Promise<void> {
    const before = await this.#plinth.get(this.#path);
    const updated = await this.#plinth.send('PUT', this.#path, before.text);
    if (!this.#isQuiet() && updated.status === 409) return this.#update();
    assert.equal(updated.status, 200, updated.text);
    assert.deepEqual(this.#content(updated), this.#content(before));
    if (this.#isQuiet()) assert.equal(updated.text, before.text, 'nothing was written');
  }

  async #apply(): Promise<void> {
    const before = await this.#plinth.get(this.#path);
    const path = `${this.#path}?fieldManager=life&force=true`;
    const body = canonicalJson(this.#object);
    const applied = await this.#plinth.send('PATCH', path, body, APPLY);
    // only an apply minds items that are there twice, or are nothing
    if (applied.status === 400 && UNMERGEABLE.test(applied.text)) return;
    assert.equal(applied.status, 200, applied.text);
    assert.deepEqual(this.#content(applied), this.#content(before));
    const again = await this.#plinth.send('PATCH', path, body, APPLY);
    assert.equal(again.status, 200, again.text);
    if (this.#isQuiet()) assert.equal(again.text, applied.text, 'nothing was written');
  }

  async #table(): Promise<void> {
    const { json } = await this.#plinth.get(this.#path, TABLE);
    assert.equal(json.kind, 'Table');
    const [row] = json.rows;
    assert.equal(row.cells.length, json.columnDefinitions.length);
    assert.ok(row.cells.every((cell: unknown) => cell !== undefined));
    assert.equal(row.object.metadata.name, (this.#object['metadata'] as { name: string }).name);
  }

  async #delete(): Promise<void> {
    const deleted = await this.#plinth.send('DELETE', this.#path);
    assert.ok([200, 202].includes(deleted.status), deleted.text);
    await eventually(async () => {
      const { status, json } = await this.#plinth.get(this.#path);
      if (status === 404) return true;
      assert.notEqual(json.metadata.deletionTimestamp, undefined);
      const finalizers: string[] = json.metadata.finalizers ?? [];
      if (finalizers.some(isForeign)) {
        await this.#plinth.send('PATCH', this.#path, { metadata: { finalizers: null } }, MERGE);
      }
      await this.#finalize(json);
      return false;
    }, `${this.#path} is gone`);
  }

  /** A namespace may have finalizers in its spec, too. */
  async #finalize(object: JsonObject): Promise<void> {
    const { spec } = object as { spec?: { finalizers?: string[] } };
    const finalizers = this.#resource.kind.kind === 'Namespace' ? (spec?.finalizers ?? []) : [];
    if (!finalizers.some(isForeign)) return;
    const released = {
      ...object,
      spec: { ...spec, finalizers: finalizers.filter((each) => !isForeign(each)) },
    };
    // refused when a loop has written meanwhile: the next look tries again
    await this.#plinth.send('PUT', `${this.#path}/finalize`, released);
  }

  #isQuiet(): boolean {
    return !BUSY.has(this.#resource.kind.kind);
  }

  #content({ json }: Reply): JsonObject {
    return content(this.#resource.kind.kind, json);
  }
}

/** Is it a finalizer of the test's objects, which the test takes away? */
function isForeign(finalizer: string): boolean {
  return finalizer.startsWith('example.');
}

/** Bad input is the client's fault, and says where it is wrong. */
function assertRefused({ status, json, text }: Reply): void {
  assert.ok(status === 400 || status === 422, `${status} ${text}`);
  assert.equal(json.kind, 'Status', text);
  if (status !== 422) return;
  assert.ok(json.details.causes.length > 0, text);
  for (const { field, reason } of json.details.causes) {
    assert.notEqual(field ?? '', '', text);
    // kube-apiserver calls a pair of CIDRs that it cannot read an internal error, and nothing else
    if (reason === 'InternalError') assert.equal(field, 'spec.podCIDRs', text);
    else assert.match(reason, /^FieldValue/, text);
  }
}

describe('objects of every built-in kind over HTTP, made at random', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: ['--feature-gates', GATES] });
    await plinth.send('POST', '/api/v1/namespaces', NAMESPACE_OBJECT);
  });
  after(() => plinth.dispose());

  for (const resource of KINDS) {
    const { kind, definition } = resource;
    if (definition.computed === true) continue;

    it(`${kind.kind}: created, read back, updated, applied, shown in a table, deleted`, async () => {
      let accepted = 0;
      let serial = 0;
      await fc.assert(
        fc.asyncProperty(likely(resource), async (object) => {
          const metadata = object['metadata'] as JsonObject;
          const name = NAMED.has(kind.kind) ? metadata['name'] : `life-${serial++}`;
          const named = { ...object, metadata: { ...metadata, name } } as JsonObject;
          if (await new Life(plinth, resource, named).live()) accepted++;
        }),
        { numRuns: RUNS },
      );
      assert.ok(accepted > 0, 'none was accepted');
    });
  }
});
