import { readFileSync } from 'node:fs';
import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { aliasApiVersion, definitionGroups, neutralGroup } from '../../api/naming.ts';
import {
  AES_KEY_BYTES,
  aesGcmCipher,
  identityCipher,
  type ValueCipher,
} from '../../storage/encryption/ciphers.ts';
import type { EncryptionRule } from '../../storage/encryption/value-cipher.ts';
import { parseYaml } from '../../yaml/parse.ts';
import { resourceOfPrefix, resourcePrefix, resourcePrefixOf } from '../../storage/keys.ts';

const API_VERSION = aliasApiVersion('apiserver.config.cluster.io/v1');
const KIND = 'EncryptionConfiguration';
/** Known elsewhere, and not here. */
const OTHER_PROVIDERS = ['aescbc', 'secretbox', 'kms'];

/**
 * The rules of an EncryptionConfiguration. Messages never tell a key.
 *
 * @throws Error that names the file and the field
 */
export function readEncryption(file: string): EncryptionRule[] {
  try {
    return encryptionOf(parseYaml(readFileSync(file, 'utf8')).value);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** @throws Error that names the field */
export function encryptionOf(value: JsonValue): EncryptionRule[] {
  const config = objectOf(value, 'the file', ['apiVersion', 'kind', 'metadata', 'resources']);
  if (config.apiVersion !== API_VERSION || config.kind !== KIND) {
    throw new Error(`apiVersion and kind must be ${API_VERSION} and ${KIND}`);
  }
  const rules = listOf(config, 'resources', 'resources').map((rule, i) =>
    ruleOf(rule, `resources[${i}]`),
  );
  if (rules.length === 0) throw new Error('resources must not be empty');
  return rules;
}

function ruleOf(value: JsonValue, path: string): EncryptionRule {
  const rule = objectOf(value, path, ['resources', 'providers']);
  const patterns = listOf(rule, 'resources', `${path}.resources`).map((name, i) =>
    patternOf(name, `${path}.resources[${i}]`),
  );
  if (patterns.length === 0) throw new Error(`${path}.resources must not be empty`);
  const [first, ...others] = listOf(rule, 'providers', `${path}.providers`).flatMap((provider, i) =>
    ciphersOf(provider, `${path}.providers[${i}]`),
  );
  if (first === undefined) throw new Error(`${path}.providers must not be empty`);
  return {
    matches: (key) => patterns.some((matches) => matches(key)),
    ciphers: [first, ...others],
  };
}

/** `leases.coordination.k8s.io`, `nodes`, `*.apps`, `*.` (all core ones), `*.*`. */
function patternOf(name: JsonValue, path: string): (key: string) => boolean {
  if (typeof name !== 'string' || !/^(?:\*|[a-z0-9-]+)(?:\.(?:\*|[a-z0-9.-]*))?$/.test(name)) {
    throw new Error(`${path} must be <resource>, <resource>.<group>, *.<group> or *.*`);
  }
  const dot = name.indexOf('.');
  const resource = dot < 0 ? name : name.slice(0, dot);
  const group = dot < 0 ? '' : neutralGroup(name.slice(dot + 1));
  if (resource === '*' && dot < 0) throw new Error(`${path}: * needs a group; *.* is everything`);
  if (resource !== '*' && group === '*') throw new Error(`${path}: only * may be in all groups`);
  if (group === '*') return isResourceKey;
  // what a definition brings is stored by the group that the definition says
  const groups = new Set([group, ...definitionGroups(group)]);
  if (resource === '*') {
    return (key) =>
      isResourceKey(key) && groups.has(resourceOfPrefix(resourcePrefixOf(key) ?? '').group);
  }
  const prefixes = [...groups].map((name) => resourcePrefix({ group: name, resource }));
  return (key) => prefixes.some((prefix) => key.startsWith(prefix));
}

const isResourceKey = (key: string): boolean => resourcePrefixOf(key) !== undefined;

function ciphersOf(value: JsonValue, path: string): ValueCipher[] {
  const provider = objectOf(value, path, ['aesgcm', 'identity', ...OTHER_PROVIDERS]);
  const [name, ...more] = Object.keys(provider);
  if (name === undefined || more.length > 0) throw new Error(`${path} must have one provider`);
  if (OTHER_PROVIDERS.includes(name)) {
    throw new Error(`${path}.${name} is not supported: use aesgcm, or identity`);
  }
  if (name === 'identity') return [identityCipher];
  const { keys } = objectOf(provider[name] ?? null, `${path}.aesgcm`, ['keys']);
  if (!Array.isArray(keys) || keys.length === 0) {
    throw new Error(`${path}.aesgcm.keys must not be empty`);
  }
  const ciphers = keys.map((key, i) => cipherOf(key, `${path}.aesgcm.keys[${i}]`));
  return ciphers;
}

function cipherOf(value: JsonValue, path: string): ValueCipher {
  const key = objectOf(value, path, ['name', 'secret']);
  const { name, secret } = key;
  if (typeof name !== 'string' || !/^[^:\s]+$/.test(name)) {
    throw new Error(`${path}.name must be a name without a colon`);
  }
  const bytes = Buffer.from(typeof secret === 'string' ? secret : '', 'base64');
  if (!AES_KEY_BYTES.includes(bytes.length)) {
    throw new Error(`${path}.secret must be ${AES_KEY_BYTES.join(', ')} bytes in base64`);
  }
  return aesGcmCipher(name, bytes);
}

function objectOf(value: JsonValue, path: string, known: readonly string[]): JsonObject {
  if (!isObject(value)) throw new Error(`${path} must be an object`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`${path} has an unknown field ${unknown}`);
  return value;
}

function listOf(object: JsonObject, key: string, path: string): JsonValue[] {
  const value = getOwn(object, key) ?? [];
  if (!Array.isArray(value)) throw new Error(`${path} must be a list`);
  return value;
}
