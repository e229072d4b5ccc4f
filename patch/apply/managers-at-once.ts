// Made from managers.ts by `npm run generate:twins`: the same without rests.
import { readFieldsV1 } from './fields-v1-at-once.ts';
import { type JsonObject, type JsonValue, getOwn, isObject } from '../../api/json.ts';
import {
  type Manager,
  type ManagerIdentity,
  type Managers,
  NO_MANAGERS,
  asEntry,
  identityText,
  optionalText,
  wholeSeconds,
} from './managers.ts';

/**
 * Reads entries; undefined when one of them is not valid. Of several entries of
 * one manager the last one counts.
 */
export function readManagers(entries: JsonValue | undefined): Managers | undefined {
  if (entries === undefined || entries === null) return NO_MANAGERS;
  if (!Array.isArray(entries)) return undefined;
  const managers = new Map<string, Manager>();
  for (const entry of entries) {
    const manager = isObject(entry) ? managerSteps(entry) : undefined;
    if (manager === undefined) return undefined;
    managers.set(identityText(manager.identity), manager);
  }
  return managers;
}

function managerSteps(entry: JsonObject): Manager | undefined {
  const operation = getOwn(entry, 'operation');
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  const apiVersion = getOwn(entry, 'apiVersion');
  if (typeof apiVersion !== 'string' || apiVersion === '') return undefined;
  if (getOwn(entry, 'fieldsType') !== 'FieldsV1') return undefined;
  const stored = getOwn(entry, 'fieldsV1');
  const fields = readFieldsV1(stored);
  if (fields === undefined) return undefined;
  const given = getOwn(entry, 'time') ?? undefined;
  const time = given === undefined ? undefined : wholeSeconds(given);
  if (given !== undefined && time === undefined) return undefined;
  const name = optionalText(getOwn(entry, 'manager'));
  const subresource = optionalText(getOwn(entry, 'subresource')) ?? '';
  const identity: ManagerIdentity = {
    name,
    operation,
    apiVersion: operation === 'Apply' ? undefined : apiVersion,
    subresource,
  };
  const unchanged = fields === stored && time === given;
  return { identity, apiVersion, fields, time, entry: unchanged ? asEntry(entry) : undefined };
}
