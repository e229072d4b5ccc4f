import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepClone, type JsonObject, type JsonValue } from '../api/json.ts';
import { builtinDefinitions } from './builtin.ts';
import type { ResourceDefinition } from './definition.ts';
import { ALL_FEATURE_GATES } from './feature-gates.ts';
import { valueOf, variantOf } from './testing/arbitrary.ts';
import {
  created,
  decoded,
  rowOf,
  servedVersion,
  testChecker,
  updated,
  type WriteOutcome,
} from './testing/harness.ts';
import { SAMPLES } from './testing/samples.ts';

/** A CRD is a schema of its own, and tested where it is compiled. */
const builtin = builtinDefinitions(ALL_FEATURE_GATES, { checker: testChecker }).filter(
  ({ names }) => names.kind !== 'CustomResourceDefinition',
);
const definitions = builtin.filter(({ names }) => names.kind in SAMPLES);
const WAYS = [undefined, 'status', 'finalize'] as const;

/** Metadata is the registry's: only a name, so that what the kinds do with names is seen. */
const METADATA: JsonObject = { name: 'a' };

function sampleOf(definition: ResourceDefinition): JsonObject {
  const { kind } = definition.names;
  const sample = SAMPLES[kind];
  assert.ok(sample, `a sample of ${kind}`);
  const apiVersion = [definition.group, definition.storageVersion].filter(Boolean).join('/');
  const metadata = { ...METADATA, ...(sample.metadata as JsonObject | undefined) };
  return { apiVersion, kind, ...sample, metadata };
}

/** Whole objects of the kind, with the sample's metadata. */
function objects(
  definition: ResourceDefinition,
  body: fc.Arbitrary<JsonValue>,
): fc.Arbitrary<JsonObject> {
  const { apiVersion, kind, metadata } = sampleOf(definition);
  return body.map((value) => ({
    ...(value as JsonObject | null),
    ...({ apiVersion, kind, metadata } as JsonObject),
  }));
}

function assertReadable({ errors, object }: WriteOutcome, definition: ResourceDefinition): void {
  for (const { type, path, detail } of errors) {
    // kube-apiserver calls a pair of CIDRs that it cannot read an internal error, and nothing else.
    if (type === 'InternalError') assert.equal(path, 'spec.podCIDRs');
    else assert.match(type, /^FieldValue/);
    assert.match(path, /^[a-z][\w.]*/, detail);
  }
  for (const cell of Object.values(rowOf(definition, object))) assert.notEqual(cell, undefined);
}

it('every built-in kind has a sample in resources/testing/samples.ts', () => {
  const kinds = builtin.map(({ names }) => names.kind);
  assert.deepEqual(
    kinds.filter((kind) => !(kind in SAMPLES)),
    [],
  );
});

describe('objects of every built-in kind, made at random', () => {
  for (const definition of definitions) {
    const { codec, subresources, schema } = servedVersion(definition);
    const sample = sampleOf(definition);
    const wild = objects(definition, valueOf(schema()));
    const likely = objects(definition, variantOf(sample, schema()));
    const any = fc.oneof(wild, likely);
    const ways = WAYS.filter((way) => way === undefined || subresources[way] !== undefined);

    describe(definition.names.kind, () => {
      it('are like a sample, which is valid and has no unknown part', () => {
        assert.deepEqual(created(definition, sample).errors, []);
        assert.deepEqual(created(definition, sample).unknownFields, []);
      });

      it('are decoded to one canonical form (idempotent)', () => {
        fc.assert(
          fc.property(any, (json) => {
            const { object, unknownFields } = decoded(definition, json);
            assert.deepEqual(unknownFields, []);
            const again = decoded(definition, object);
            assert.deepEqual(again.object, object);
            codec.applyDefaults(again.object);
            assert.deepEqual(again.object, object);
          }),
        );
      });

      it('are validated without a crash and without a change', () => {
        fc.assert(
          fc.property(any, (json) => {
            const outcome = created(definition, json);
            assertReadable(outcome, definition);
            const { object } = outcome;
            const before = deepClone(object);
            const context = { now: 0 };
            definition.strategy.validate?.(object, context);
            definition.strategy.warnings?.(object, undefined);
            assert.deepEqual(object, before);
          }),
        );
      });

      it('can replace each other without a crash and without changing the old object', () => {
        fc.assert(
          fc.property(any, any, fc.constantFrom(...ways), (old, json, way) => {
            const before = created(definition, old).object;
            const copy = deepClone(before);
            assertReadable(updated(definition, before, json, way), definition);
            assert.deepEqual(before, copy);
          }),
        );
      });

      it('when valid, can be written again as they are, and nothing changes', () => {
        let valid = 0;
        fc.assert(
          fc.property(likely, fc.constantFrom(...ways), (json, way) => {
            const { object, errors } = created(definition, json);
            if (errors.length > 0) return;
            valid++;
            const again = updated(definition, object, object, way);
            assert.deepEqual(again.errors, []);
            assert.deepEqual(again.object, object);
          }),
        );
        assert.ok(valid >= 5, `only ${valid} of 100 were valid`);
      });
    });
  }
});
