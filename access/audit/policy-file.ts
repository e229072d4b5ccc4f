import { readFileSync } from 'node:fs';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { AUDIT_API_VERSION, neutralApiVersion, neutralGroup } from '../../api/naming.ts';
import { parseYaml } from '../../yaml/parse.ts';
import {
  AUDIT_LEVELS,
  AUDIT_STAGES,
  type AuditLevel,
  type AuditPolicy,
  type AuditRule,
  type AuditStage,
  type GroupResources,
} from './policy.ts';

const API_VERSIONS = [AUDIT_API_VERSION, neutralApiVersion(AUDIT_API_VERSION)];
const FIELDS = ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields'];
const RULE_FIELDS = [
  'level',
  'users',
  'userGroups',
  'verbs',
  'resources',
  'namespaces',
  'nonResourceURLs',
  'omitStages',
  'omitManagedFields',
];
const RESOURCE_FIELDS = ['group', 'resources', 'resourceNames'];

/**
 * The policy in a file, checked: a mistake must not mean that less is written.
 *
 * @throws Error that names the file and the field
 */
export function readPolicy(file: string): AuditPolicy {
  try {
    return policyOf(parseYaml(readFileSync(file, 'utf8')).value);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** @throws Error that names the field */
export function policyOf(value: JsonValue): AuditPolicy {
  const policy = objectOf(value, 'policy', FIELDS);
  const isKnown = API_VERSIONS.some((version) => version === policy.apiVersion);
  if (!isKnown || policy.kind !== 'Policy') {
    throw new Error(`apiVersion and kind must be ${API_VERSIONS[0] ?? ''} and Policy`);
  }
  const rules = listOf(policy, 'rules', '').map((rule, i) => ruleOf(rule, `rules[${i}]`));
  if (rules.length === 0) throw new Error('rules must not be empty');
  return {
    rules,
    omitStages: stagesOf(policy, ''),
    omitManagedFields: booleanOf(policy, 'omitManagedFields', '') ?? false,
  };
}

function ruleOf(value: JsonValue, path: string): AuditRule {
  const rule = objectOf(value, path, RULE_FIELDS);
  const level = AUDIT_LEVELS.find((known): known is AuditLevel => known === rule.level);
  if (level === undefined) {
    throw new Error(`${path}.level must be one of ${AUDIT_LEVELS.join(', ')}`);
  }
  const parsed: AuditRule = {
    level,
    users: textsOf(rule, 'users', path),
    userGroups: textsOf(rule, 'userGroups', path),
    verbs: textsOf(rule, 'verbs', path),
    resources: listOf(rule, 'resources', path).map((entry, i) =>
      resourcesOf(entry, `${path}.resources[${i}]`),
    ),
    namespaces: textsOf(rule, 'namespaces', path),
    nonResourceURLs: textsOf(rule, 'nonResourceURLs', path),
    omitStages: stagesOf(rule, path),
    omitManagedFields: booleanOf(rule, 'omitManagedFields', path),
  };
  checkPaths(parsed, path);
  return parsed;
}

function checkPaths({ nonResourceURLs, resources, namespaces }: AuditRule, path: string): void {
  if (nonResourceURLs.length === 0) return;
  if (resources.length > 0 || namespaces.length > 0) {
    throw new Error(
      `${path}: a rule must have either nonResourceURLs, or resources and namespaces`,
    );
  }
  for (const url of nonResourceURLs) {
    if (url === '*') continue;
    if (!url.startsWith('/') || url.slice(0, -1).includes('*')) {
      throw new Error(
        `${path}.nonResourceURLs: ${url} must begin with / and have * at most at its end`,
      );
    }
  }
}

function resourcesOf(value: JsonValue, path: string): GroupResources {
  const entry = objectOf(value, path, RESOURCE_FIELDS);
  const group = entry.group ?? '';
  if (typeof group !== 'string') throw new Error(`${path}.group must be a string`);
  const resources = textsOf(entry, 'resources', path);
  const resourceNames = textsOf(entry, 'resourceNames', path);
  if (resourceNames.length > 0 && resources.length === 0) {
    throw new Error(`${path}.resourceNames needs resources`);
  }
  return { group: neutralGroup(group), resources, resourceNames };
}

function objectOf(value: JsonValue, path: string, known: readonly string[]): JsonObject {
  if (!isObject(value)) throw new Error(`${path} must be an object`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`${path} has an unknown field ${unknown}`);
  return value;
}

const at = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function listOf(object: JsonObject, key: string, path: string): JsonValue[] {
  const value = getOwn(object, key) ?? [];
  if (!Array.isArray(value)) throw new Error(`${at(path, key)} must be a list`);
  return value;
}

function textsOf(object: JsonObject, key: string, path: string): string[] {
  return listOf(object, key, path).map((item) => {
    if (typeof item !== 'string') throw new Error(`${at(path, key)} must be a list of strings`);
    return item;
  });
}

function booleanOf(object: JsonObject, key: string, path: string): boolean | undefined {
  const value = getOwn(object, key);
  if (value === undefined || typeof value === 'boolean') return value;
  throw new Error(`${at(path, key)} must be true or false`);
}

function stagesOf(object: JsonObject, path: string): AuditStage[] {
  return textsOf(object, 'omitStages', path).map((text) => {
    const stage = AUDIT_STAGES.find((known) => known === text);
    if (stage === undefined) {
      throw new Error(`${at(path, 'omitStages')} must be of ${AUDIT_STAGES.join(', ')}`);
    }
    return stage;
  });
}
