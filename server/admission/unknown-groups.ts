import type { AdmissionAttributes, Operation } from '../../admission/attributes.ts';
import type { AdmissionPlugin } from '../../admission/chain.ts';
import { FieldPath } from '../../api/field-path.ts';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isKubernetesGroup, neutralGroup } from '../../api/naming.ts';
import type { Catalog } from '../../registry/catalog.ts';
import { ADMISSIONREGISTRATION_GROUP } from '../../resources/admissionregistration/webhook-configurations.ts';

/** Warnings for one object: an answer's headers hold no more anyway. */
const MAX_WARNINGS = 20;

/** Where the kinds of the group keep their rules. */
const MATCH_FIELDS = ['matchConstraints', 'matchResources'];
const RULE_FIELDS = ['resourceRules', 'excludeResourceRules'];

/**
 * Warns of rules in webhook configurations, policies and bindings that name a
 * group of Kubernetes which this server does not have: such a rule matches
 * nothing, and a guard that matches nothing looks like one that works.
 */
export class UnknownGroups implements AdmissionPlugin {
  readonly name = 'UnknownGroups';
  readonly #catalog: Pick<Catalog, 'hasGroup'>;

  constructor(catalog: Pick<Catalog, 'hasGroup'>) {
    this.#catalog = catalog;
  }

  handles(operation: Operation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate({ kind, subresource, object, warnings }: AdmissionAttributes): undefined {
    if (kind.group !== ADMISSIONREGISTRATION_GROUP || subresource !== '' || object === undefined) {
      return undefined;
    }
    let count = 0;
    for (const [path, group] of namedGroups(object)) {
      if (!isKubernetesGroup(group) || this.#catalog.hasGroup(neutralGroup(group))) continue;
      warnings.add(
        `${path.toString()}: this server has no group ${JSON.stringify(group)}: the rule matches nothing in it`,
      );
      if (++count === MAX_WARNINGS) break;
    }
    return undefined;
  }
}

function* namedGroups(object: JsonObject): Generator<[FieldPath, string]> {
  for (const [i, webhook] of listOf(object, 'webhooks').entries()) {
    yield* groupsOf(webhook, 'rules', FieldPath.of('webhooks').index(i));
  }
  const spec = getOwn(object, 'spec');
  if (!isObject(spec)) return;
  for (const match of MATCH_FIELDS) {
    const resources = getOwn(spec, match);
    for (const rules of RULE_FIELDS) {
      yield* groupsOf(resources, rules, FieldPath.of('spec', match));
    }
  }
}

function* groupsOf(
  holder: JsonValue | undefined,
  field: string,
  path: FieldPath,
): Generator<[FieldPath, string]> {
  if (!isObject(holder)) return;
  for (const [i, rule] of listOf(holder, field).entries()) {
    if (!isObject(rule)) continue;
    const groups = path.child(field).index(i).child('apiGroups');
    for (const [j, group] of listOf(rule, 'apiGroups').entries()) {
      if (typeof group === 'string') yield [groups.index(j), group];
    }
  }
}

function listOf(object: JsonObject, key: string): JsonValue[] {
  const value = getOwn(object, key);
  return Array.isArray(value) ? value : [];
}
