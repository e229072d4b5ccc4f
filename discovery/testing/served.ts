import assert from 'node:assert/strict';
import { ApiError } from '../../api/api-error.ts';
import type { JsonObject } from '../../api/json.ts';
import { Catalog } from '../../registry/catalog.ts';
import { leaseDefinition } from '../../resources/coordination/lease.ts';
import { namespaceDefinition } from '../../resources/core/namespace.ts';
import type { ResourceDefinition } from '../../resources/definition.ts';
import { ALL_FEATURE_GATES } from '../../resources/feature-gates.ts';
import type { ApiResponse } from '../../http/message.ts';
import { Discovery } from '../discovery.ts';
import type { Registrations } from '../registrations.ts';
import { requestOf, type RequestInit } from './definitions.ts';

/* A server of two built-in kinds and some custom resources, and questions to its discovery. */

export const NEUTRAL = 'application/json;g=apidiscovery.cluster.io;v=v2;as=APIGroupDiscoveryList';

export function served(
  custom: ResourceDefinition[] = [],
  registrations?: Registrations,
): { catalog: Catalog; discovery: Discovery } {
  const catalog = new Catalog([namespaceDefinition, leaseDefinition(ALL_FEATURE_GATES)]);
  setCustom(catalog, custom);
  const discovery = new Discovery({
    catalog,
    serverAddress: () => 'plinth:6443',
    ...(registrations === undefined ? {} : { registrations }),
  });
  return { catalog, discovery };
}

export function setCustom(catalog: Catalog, custom: ResourceDefinition[]): void {
  catalog.setCustom(new Map(custom.map((d) => [`${d.names.plural}.${d.group}`, d])));
}

export function get(discovery: Discovery, url: string, init?: RequestInit): ApiResponse {
  const response = discovery.handle(requestOf(url, init));
  assert.ok(response !== undefined, `${url} is not answered`);
  return response;
}

export function bodyOf(discovery: Discovery, url: string, accept = 'application/json'): JsonObject {
  const { status, body } = get(discovery, url, { headers: { accept } });
  assert.equal(status, 200);
  return JSON.parse((body as Buffer).toString()) as JsonObject;
}

export function names(discovery: Discovery): string[] {
  const { groups } = bodyOf(discovery, '/apis') as unknown as { groups: { name: string }[] };
  return groups.map(({ name }) => name);
}

export function failure(discovery: Discovery, url: string, init?: RequestInit): number {
  try {
    discovery.handle(requestOf(url, init));
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.code;
  }
  throw new Error(`${url} does not fail`);
}
