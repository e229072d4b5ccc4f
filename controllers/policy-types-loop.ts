import { objectOf } from '../resources/object-of.ts';
import { inTurns } from '../api/steps.ts';
import { objectType } from '../schema/rules/object-type.ts';
import {
  typeWarningSteps,
  type CheckedType,
  type TypeSource,
} from '../admission/policies/type-check.ts';
import {
  validatingAdmissionPolicySchema,
  type ExpressionWarning,
} from '../resources/admissionregistration/policy-schema.ts';
import { parseApiVersion } from '../api/group-version.ts';
import { deepEqual, getPath } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { neutralApiVersion, neutralGroup } from '../api/naming.ts';
import type { CelType } from '../cel/value/cel-type.ts';
import { attemptEach } from './attempt-each.ts';
import type { Loop, LoopReport } from './loop.ts';
import { seenOf, type LoopWriter } from './writer.ts';
import type { RegistryParts } from '../registry/parts.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { ADMISSIONREGISTRATION_GROUP } from '../resources/admissionregistration/webhook-configurations.ts';
import { resourcePrefix } from '../storage/keys.ts';
import type { Entry } from '../watch/entry.ts';
import { CRD_PREFIX } from '../registry/prefixes.ts';

const PERIOD_MS = 600_000;
/** Policies that are looked at before others have their turn, and statuses that one step writes. */
const POLICIES_PER_TURN = 5;
const MAX_WRITES = 100;
const PLURAL = 'validatingadmissionpolicies';
const PREFIX = resourcePrefix({ group: ADMISSIONREGISTRATION_GROUP, resource: PLURAL });

/**
 * Checks the expressions of validating policies against the types that they
 * meet, and writes what it finds into their statuses. A policy in which nothing
 * is wrong, and never was, is left as it is.
 */
export function typeCheckLoop(parts: RegistryParts, writer: LoopWriter): Loop {
  const types = new CatalogTypes(parts);
  /** What has been looked at, by what it was then and the definitions of the time. */
  const checked = new WeakMap<Entry, number>();

  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    const { generation } = parts.catalog;
    const items = parts.reader.replica.collection(PREFIX).items.snapshot();
    let looked = 0;
    let written = 0;
    await attemptEach(items.range(''), { signal }, async (entry) => {
      if (written === MAX_WRITES) return;
      if (entry.corrupt || checked.get(entry) === generation) return;
      if (++looked % POLICIES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      if (await writeWarnings(parts, writer, types, entry, signal)) written++;
      else checked.set(entry, generation);
    });
    return { summary: `${looked} policies, ${written} statuses`, again: written === MAX_WRITES };
  };

  return {
    name: 'policy-types',
    periodMs: PERIOD_MS,
    wokenBy: [PREFIX, CRD_PREFIX],
    elected: true,
    step,
  };
}

/** True when the status was another one. */
async function writeWarnings(
  { catalog }: RegistryParts,
  writer: LoopWriter,
  types: TypeSource,
  entry: Entry,
  signal: AbortSignal,
): Promise<boolean> {
  const policy = objectOf(validatingAdmissionPolicySchema, entry.object());
  const warnings = await inTurns(typeWarningSteps(policy.spec, types));
  const before = getPath(entry.object(), 'status', 'typeChecking', 'expressionWarnings') ?? [];
  if (deepEqual(before, warnings)) return false;
  const resource = catalog.find(ADMISSIONREGISTRATION_GROUP, 'v1', PLURAL);
  if (resource === undefined) throw new Error('the kind of policies is missing');
  const target = { resource, namespace: '', name: entry.name };
  const edit = (object: ApiObject): void => setWarnings(object, warnings);
  await writer.change(target, seenOf(entry), edit, { subresource: 'status', signal });
  return true;
}

function setWarnings(object: ApiObject, warnings: ExpressionWarning[]): void {
  const policy = objectOf(validatingAdmissionPolicySchema, object);
  const { generation } = policy.metadata;
  policy.status = {
    ...policy.status,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    typeChecking: warnings.length === 0 ? {} : { expressionWarnings: warnings },
  };
}

class CatalogTypes implements TypeSource {
  readonly #parts: RegistryParts;
  readonly #known = new WeakMap<ServedResource, CheckedType>();

  constructor(parts: RegistryParts) {
    this.#parts = parts;
  }

  ofResource(group: string, version: string, resource: string): CheckedType | undefined {
    return this.#typeOf(this.#parts.catalog.find(neutralGroup(group), version, resource));
  }

  ofKind(apiVersion: string, kind: string): CelType | undefined {
    const type = parseApiVersion(neutralApiVersion(apiVersion));
    if (type === undefined) return undefined;
    return this.#typeOf(this.#parts.catalog.findKind(type.group, type.version, kind))?.object;
  }

  #typeOf(resource: ServedResource | undefined): CheckedType | undefined {
    if (resource === undefined) return undefined;
    let type = this.#known.get(resource);
    if (type === undefined) {
      // every kind has the metadata of all kinds, whatever its own schema says of it
      const metadata = this.#parts.catalog
        .find('', 'v1', 'namespaces')
        ?.version.schema()
        .properties?.get('metadata');
      if (metadata === undefined) throw new Error('the schema of metadata is missing');
      const name = `${resource.apiVersion}, Kind=${resource.kind.kind}`;
      type = { name, object: objectType(resource.version.schema(), metadata) };
      this.#known.set(resource, type);
    }
    return type;
  }
}
