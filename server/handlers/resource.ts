import {
  apiError,
  internalError,
  methodNotAllowed,
  notFound,
  unknownResource,
} from '../../api/api-error.ts';
import type { FieldError } from '../../api/field-error.ts';
import { create } from '../../registry/create.ts';
import type { RequestContext } from '../../registry/context.ts';
import { deleteCollection } from '../../registry/delete-collection.ts';
import { deleteObject } from '../../registry/delete.ts';
import { deleteOptionsFrom } from '../../registry/delete-options.ts';
import { getObject } from '../../registry/get.ts';
import { getReadPoint, listOptionsFrom } from '../../registry/list-options.ts';
import { list } from '../../registry/list.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { patch } from '../../registry/patch.ts';
import { getScale, patchScale, updateScale } from '../../registry/scale.ts';
import { ScaleForm } from '../../registry/scale-form.ts';
import type { ServedResource, Target } from '../../registry/served-resource.ts';
import { translated } from '../../registry/store-errors.ts';
import { update } from '../../registry/update.ts';
import { watch } from '../../registry/watch.ts';
import { writeOptionsFrom, type OptionsKind } from '../../registry/write-options.ts';
import type { WriteRequest } from '../../registry/write-request.ts';
import type { Verb } from '../../resources/definition.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { decodeBody, decodeOptionalBody } from '../wire/decode-body.ts';
import { respondList } from '../wire/respond-list.ts';
import { respondObject } from '../wire/respond-object.ts';
import { respondStatus } from '../wire/respond-status.ts';
import { respondWatch } from '../wire/respond-watch.ts';
import { managerOfRequest } from '../../patch/patch-options.ts';
import { decodePatch, patchMediaType, patchOptionErrors } from './patch-body.ts';

export interface ResourceHandlerOptions {
  readonly parts: RegistryParts;
  readonly maxBodyBytes: number;
}

/** Requests for objects and collections: finds the resource, then does what the verb means. */
export class ResourceHandler {
  readonly #parts: RegistryParts;
  readonly #maxBodyBytes: number;

  constructor({ parts, maxBodyBytes }: ResourceHandlerOptions) {
    this.#parts = parts;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** @throws ApiError */
  async handle(exchange: Exchange): Promise<ApiResponse> {
    const { info } = exchange;
    const { catalog } = this.#parts;
    const find = (): ServedResource | undefined =>
      catalog.find(info.group, info.version, info.resource);
    let resource = find();
    if (resource === undefined && info.group.includes('.')) {
      // another server may serve a new definition already: its client must find it here, too
      await translated(() => this.#parts.reader.freshness.fresh(exchange.signal));
      resource = find();
    }
    if (resource === undefined) throw unknownResource();
    const namespace = resource.definition.namespaced ? info.namespace : '';
    const target: Target = { resource, namespace, name: info.name };
    checkPath(exchange, target);
    if (resource.version.deprecation !== undefined) {
      exchange.warnings.add(resource.version.deprecation);
    }
    checkVerb(exchange, resource);
    return this.#verb(exchange, target);
  }

  #verb(exchange: Exchange, target: Target): Promise<ApiResponse> {
    switch (exchange.info.verb) {
      case 'get':
        return this.#get(exchange, target);
      case 'list':
        return this.#list(exchange, target);
      case 'watch':
        return this.#watch(exchange, target);
      case 'create':
        return this.#create(exchange, target);
      case 'update':
        return this.#update(exchange, target);
      case 'patch':
        return this.#patch(exchange, target);
      case 'delete':
        return this.#delete(exchange, target);
      case 'deletecollection':
        return this.#deleteCollection(exchange, target);
      default:
        throw methodNotAllowed(target.resource.groupResource, exchange.info.verb);
    }
  }

  async #get(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const point = getReadPoint(exchange.request.query.get('resourceVersion') ?? '');
    const read = isScale(exchange) ? getScale : getObject;
    const bytes = await read(this.#parts, target, point, exchange.signal);
    return respondObject(exchange, answered(exchange, target), bytes, 200);
  }

  async #list(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const options = listOptionsFrom(exchange.request.query, false);
    const result = await list(this.#parts, target, options, exchange.signal);
    return respondList(exchange, this.#parts, target, result);
  }

  async #watch(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const { query } = exchange.request;
    const options = listOptionsFrom(query, true);
    const { name, watchPath } = exchange.info;
    // The deprecated path of one object is a watch of the collection for that name.
    const selected =
      watchPath && name !== ''
        ? { ...options, fieldSelector: selectorForName(options.fieldSelector, name) }
        : options;
    const accepted = await watch(this.#parts, { ...target, name: '' }, selected, exchange.signal);
    return respondWatch(exchange, this.#parts, target, accepted);
  }

  async #create(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const request = this.#writeRequest(exchange, target, 'CreateOptions');
    const body = await decodeBody(exchange.request, target.resource, this.#maxBodyBytes);
    const result = await create(this.#parts, request, body);
    return respondObject(exchange, target.resource, result.bytes, 201);
  }

  async #update(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const request = this.#writeRequest(exchange, target, 'UpdateOptions');
    const body = await decodeBody(exchange.request, target.resource, this.#maxBodyBytes);
    const write = isScale(exchange) ? updateScale : update;
    const { bytes, created } = await write(this.#parts, request, body);
    return respondObject(exchange, answered(exchange, target), bytes, created ? 201 : 200);
  }

  async #patch(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const mediaType = patchMediaType(exchange.request, target.resource);
    const errors = patchOptionErrors(exchange.request, mediaType);
    const request = this.#writeRequest(exchange, target, 'PatchOptions', errors);
    const sent = await decodePatch(exchange.request, mediaType, this.#maxBodyBytes);
    const write = isScale(exchange) ? patchScale : patch;
    const { bytes, created } = await write(this.#parts, request, sent);
    return respondObject(exchange, answered(exchange, target), bytes, created ? 201 : 200);
  }

  async #delete(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const body = await decodeOptionalBody(exchange.request, this.#maxBodyBytes);
    const options = deleteOptionsFrom(exchange.request.query, body);
    const context = contextOf(exchange);
    const result = await deleteObject(this.#parts, { context, target, options });
    const status = result.accepted ? 202 : 200;
    return target.resource.definition.deleteReturnsObject === true
      ? respondObject(exchange, target.resource, result.bytes, status)
      : respondStatus(exchange, result.status, status);
  }

  async #deleteCollection(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const { query } = exchange.request;
    const listOptions = listOptionsFrom(query, false);
    const body = await decodeOptionalBody(exchange.request, this.#maxBodyBytes);
    const status = await deleteCollection(this.#parts, contextOf(exchange), target, {
      list: listOptions,
      delete: deleteOptionsFrom(query, body),
    });
    return respondStatus(exchange, status, 200);
  }

  #writeRequest(
    exchange: Exchange,
    target: Target,
    optionsKind: Extract<OptionsKind, 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'>,
    errors: readonly FieldError[] = [],
  ): WriteRequest {
    return {
      context: contextOf(exchange),
      target,
      subresource: exchange.info.subresource,
      options: writeOptionsFrom(exchange.request.query, optionsKind, errors),
      optionsKind,
    };
  }
}

function contextOf(exchange: Exchange): RequestContext {
  const { user } = exchange;
  if (user === undefined) throw internalError('no user');
  return {
    user,
    warnings: exchange.warnings,
    audit: exchange.annotations,
    signal: exchange.signal,
    defaultManager: managerOfRequest(undefined, exchange.request.headers['user-agent'] ?? ''),
  };
}

function isScale({ info }: Exchange): boolean {
  return info.subresource === 'scale';
}

/** What the answer is an object of. */
function answered(exchange: Exchange, { resource }: Target): ServedResource {
  return isScale(exchange) ? new ScaleForm(resource).resource : resource;
}

/** Verbs that a path without a namespace offers for a namespaced resource. */
const OVER_ALL_NAMESPACES = ['list', 'watch'];

/**
 * The path must fit the resource's scope and subresources.
 *
 * @throws ApiError 404 (405 where the reference says so)
 */
function checkPath({ info }: Exchange, { resource, name }: Target): void {
  const { definition, version, groupResource } = resource;
  const isNamespaceObject = definition.group === '' && info.resource === 'namespaces';
  if (!definition.namespaced && info.namespace !== '' && !isNamespaceObject)
    throw unknownResource();
  if (definition.namespaced && info.namespace === '' && !OVER_ALL_NAMESPACES.includes(info.verb)) {
    if (name !== '' || !definition.builtin) throw unknownResource();
    throw methodUnknown();
  }
  if (info.subresource === '') return;
  const offered =
    Object.hasOwn(version.subresources, info.subresource) &&
    info.rest.length === 0 &&
    (info.namespace !== '') === (definition.namespaced || isNamespaceObject);
  if (offered) return;
  throw definition.builtin ? unknownResource() : notFound(groupResource, name);
}

function checkVerb({ info }: Exchange, { definition, groupResource }: ServedResource): void {
  const verb = info.verb as Verb;
  if (info.subresource !== '') {
    const subresource = info.subresource;
    const verbs = subresource === 'finalize' ? ['update'] : ['get', 'update', 'patch'];
    if (verbs.includes(verb)) return;
    throw definition.builtin ? methodUnknown() : methodNotAllowed(groupResource, verb);
  }
  // Only the path tells an item from a collection: POST to an item is no create.
  const itemVerb = ['get', 'update', 'patch', 'delete'].includes(verb);
  if (definition.verbs.includes(verb) && itemVerb === (info.name !== '' && verb !== 'watch'))
    return;
  if (verb === 'watch' && definition.verbs.includes('watch')) return;
  throw definition.builtin ? methodUnknown() : methodNotAllowed(groupResource, verb);
}

function methodUnknown(): Error {
  return apiError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

function selectorForName(fieldSelector: string, name: string): string {
  const byName = `metadata.name=${name}`;
  return fieldSelector === '' ? byName : `${fieldSelector},${byName}`;
}
