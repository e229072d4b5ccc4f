import {
  deepClone,
  deepEqual,
  getOwn,
  isObject,
  setOwn,
  type JsonObject,
  type JsonValue,
} from '../api/json.ts';
import { atOnce } from '../api/steps.ts';
import { RBAC_AUTOUPDATE_ANNOTATION, type KubernetesNames } from '../api/naming.ts';
import { LoopWriter, seenOf } from './writer.ts';
import type { RegistryParts } from '../registry/parts.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { RBAC_GROUP } from '../resources/rbac/roles.ts';
import { Entry } from '../watch/entry.ts';
import { aggregatableRole, aggregationSteps } from '../resources/rbac/role-aggregation.ts';
import { missingRules } from '../resources/rbac/cover.ts';
import {
  bindingObject,
  DEFAULT_BINDINGS,
  DEFAULT_ROLES,
  roleObject,
  type DefaultObject,
} from '../resources/rbac/default-policy.ts';
import { ruleObject, rulesOf } from '../resources/rbac/rules.ts';

/** Brings what is there in line with what is wanted; false: nothing is missing. */
type Repair = (object: JsonObject, wanted: DefaultObject) => boolean;

const MAX_ATTEMPTS = 5;

/**
 * Creates the default roles and bindings, and restores what existing ones have
 * lost: permissions, subjects, labels. Additions stay; objects with the
 * annotation `autoupdate: "false"` are left alone. Several servers may do so at
 * the same time. Source: behaviours 10.5.
 */
export async function bootstrapPolicy(parts: RegistryParts, names: KubernetesNames): Promise<void> {
  const writer = new LoopWriter(parts);
  const roles = resource(parts, 'clusterroles');
  const bindings = resource(parts, 'clusterrolebindings');
  await Promise.all([
    ...wantedRoles(names).map((wanted) => ensure(parts, writer, roles, wanted, repairRole)),
    ...DEFAULT_BINDINGS.map((binding) =>
      ensure(parts, writer, bindings, bindingObject(binding), repairBinding),
    ),
  ]);
}

/** Aggregated roles begin with what the others make them, so that they are never empty. */
function wantedRoles(names: KubernetesNames): DefaultObject[] {
  const objects = DEFAULT_ROLES.map((role) => roleObject(role, names));
  const all = objects.map((object) => {
    const labels = object.metadata.labels as Record<string, string>;
    return aggregatableRole(object.metadata.name, labels, object);
  });
  return objects.map((object, i) => {
    const role = all[i];
    if (role?.selectors === undefined) return object;
    return { ...object, rules: atOnce(aggregationSteps(role, all)).map(ruleObject) };
  });
}

function resource({ catalog }: RegistryParts, plural: string): ServedResource {
  const found = catalog.find(RBAC_GROUP, 'v1', plural);
  if (found === undefined) throw new Error(`${plural} are not served`);
  return found;
}

async function ensure(
  parts: RegistryParts,
  writer: LoopWriter,
  resource: ServedResource,
  wanted: DefaultObject,
  repair: Repair,
): Promise<void> {
  const name = wanted.metadata.name;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const entry = await find(parts, resource, name);
    if (entry === undefined) {
      if ((await writer.create(resource, wanted)) !== undefined) return;
      continue;
    }
    if (entry.corrupt) return;
    const present = entry.object();
    if (isProtected(present) || !repair(deepClone(present), wanted)) return;
    if (await written(writer, resource, entry, wanted, repair)) return;
  }
  throw new Error(`${resource.groupResource.resource} ${name} could not be brought up to date`);
}

async function written(
  writer: LoopWriter,
  resource: ServedResource,
  entry: Entry,
  wanted: DefaultObject,
  repair: Repair,
): Promise<boolean> {
  const target = { resource, namespace: '', name: entry.name };
  // What a binding refers to never changes: another one takes its place.
  if (refersElsewhere(entry.object(), wanted)) {
    await writer.remove(target, seenOf(entry));
    return false;
  }
  const { outcome } = await writer.change(target, seenOf(entry), (object) => {
    repair(object, wanted);
  });
  return outcome === 'done';
}

/** From the store: the replica may not show yet what another server has just made. */
async function find(
  parts: RegistryParts,
  { prefix }: ServedResource,
  name: string,
): Promise<Entry | undefined> {
  const { item } = await parts.store.get(prefix + name);
  return item === undefined ? undefined : Entry.fromStored(name, item.value, item.revision);
}

function isProtected({ metadata }: JsonObject): boolean {
  const annotations = isObject(metadata) ? metadata.annotations : undefined;
  return isObject(annotations) && getOwn(annotations, RBAC_AUTOUPDATE_ANNOTATION) === 'false';
}

function repairRole(role: JsonObject, wanted: DefaultObject): boolean {
  const missing = missingRules(rulesOf(role), rulesOf(wanted));
  if (missing.length > 0) {
    role.rules = [...listOf(role.rules), ...missing.map(ruleObject)];
  }
  const aggregates = repairAggregation(role, wanted);
  return [missing.length > 0, aggregates, repairMetadata(role, wanted)].includes(true);
}

/** Selectors that are missing. */
function repairAggregation(role: JsonObject, wanted: DefaultObject): boolean {
  if (!isObject(wanted.aggregationRule)) return false;
  if (!isObject(role.aggregationRule)) {
    role.aggregationRule = wanted.aggregationRule;
    return true;
  }
  const present = listOf(role.aggregationRule.clusterRoleSelectors);
  const missing = listOf(wanted.aggregationRule.clusterRoleSelectors).filter(
    (selector) => !present.some((other) => deepEqual(other, selector)),
  );
  role.aggregationRule.clusterRoleSelectors = [...present, ...missing];
  return missing.length > 0;
}

function repairBinding(binding: JsonObject, wanted: DefaultObject): boolean {
  const present = new Set(listOf(binding.subjects).map(subjectKey));
  const missing = listOf(wanted.subjects).filter((subject) => !present.has(subjectKey(subject)));
  if (missing.length > 0) binding.subjects = [...listOf(binding.subjects), ...missing];
  const elsewhere = refersElsewhere(binding, wanted);
  return [missing.length > 0, elsewhere, repairMetadata(binding, wanted)].includes(true);
}

function refersElsewhere(binding: JsonObject, wanted: DefaultObject): boolean {
  if (!isObject(wanted.roleRef) || !isObject(binding.roleRef)) return false;
  return binding.roleRef.name !== wanted.roleRef.name;
}

/** Labels and annotations that are missing; others keep the value that they were given. */
function repairMetadata(object: JsonObject, wanted: DefaultObject): boolean {
  const metadata = isObject(object.metadata) ? object.metadata : {};
  let isChanged = false;
  for (const key of ['labels', 'annotations']) {
    const present = isObject(metadata[key]) ? metadata[key] : {};
    for (const [name, value] of Object.entries(wanted.metadata[key] as JsonObject)) {
      if (getOwn(present, name) !== undefined) continue;
      setOwn<JsonValue>(present, name, value);
      isChanged = true;
    }
    if (Object.keys(present).length > 0) metadata[key] = present;
  }
  return isChanged;
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function subjectKey(subject: JsonValue): string {
  if (!isObject(subject)) return '';
  const { kind, name, namespace } = subject;
  return JSON.stringify([kind, name, namespace ?? '']);
}
