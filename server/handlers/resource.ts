import { andThen } from '../../api/and-then.ts';
import { badRequest, methodNotAllowed, unknownResource } from '../../api/api-error.ts';
import type { FieldError } from '../../api/field-error.ts';
import { AUDIT_DEPRECATED_ANNOTATION, isWorkloadGroup } from '../../api/naming.ts';
import { hasName } from '../../registry/alias.ts';
import type { Body } from '../../registry/body.ts';
import { create } from '../../registry/create.ts';
import { deleteCollection } from '../../registry/delete-collection.ts';
import { deleteObject } from '../../registry/delete.ts';
import { deleteOptionsFrom } from '../../registry/delete-options.ts';
import { getObject } from '../../registry/get.ts';
import { refuseCount } from '../../registry/count.ts';
import { looksAtValues } from '../../registry/field-selection.ts';
import { getReadPoint, listOptionsFrom } from '../../registry/list-options.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { prepared } from '../../registry/prepared.ts';
import { patch, type Patch } from '../../registry/patch.ts';
import { projectionFrom } from '../../registry/projection.ts';
import { getScale, patchScale, updateScale } from '../../registry/scale.ts';
import type { ServedResource, Target } from '../../registry/served-resource.ts';
import { turnToCompile } from '../../registry/turn-to-compile.ts';
import { update } from '../../registry/update.ts';
import { watch } from '../../registry/watch.ts';
import { writeOptionsFrom, type OptionsKind } from '../../registry/write-options.ts';
import type { WriteRequest } from '../../registry/write-request.ts';
import type { ApiResponse } from '../../http/message.ts';
import type { Answer, Exchange } from '../../http/exchange.ts';
import { sentNames } from '../../http/sent-names.ts';
import { decodeBody, decodeOptionalBody, type BodyReading } from '../../wire/decode-body.ts';
import { askedConversion, checkAcceptable } from '../../wire/negotiate.ts';
import { respondDeleted } from '../../wire/respond-list.ts';
import { respondObject } from '../../wire/respond-object.ts';
import { respondStatus } from '../../wire/respond-status.ts';
import { respondWatch } from '../../wire/respond-watch.ts';
import type { Authorizer } from '../../access/authorization/authorizer.ts';
import { confirmCreate, confirmList } from '../../access/authorization/confirm.ts';
import type { ComputedHandler } from './computed.ts';
import type { Reviews } from '../../access/reviews.ts';
import { filteredBy } from './filtered.ts';
import type { OpenSelectors } from './open-selectors.ts';
import { decodePatch, patchMediaType, patchOptionErrors } from './patch-body.ts';
import { answerList, tellOfPart } from './answer-list.ts';
import { contextOf, userOf } from './request-context.ts';
import { answered, isScale, named, shown } from './asked-name.ts';
import { checkName, checkPath, checkVerb } from './path-rules.ts';
import { checkStreamable } from './streamable.ts';

interface ResourceHandlerOptions {
  readonly parts: RegistryParts;
  /** Asked where a request creates by another verb. */
  readonly authorizer: Authorizer;
  readonly maxBodyBytes: number;
  /** Groups go by their aliases, too. */
  readonly aliases: boolean;
  /** Answers for resources that are not stored. */
  readonly computed: ComputedHandler;
  /** Answers for questions, which are created only. */
  readonly reviews: Reviews;
  /** Counts the selectors of open watches. */
  readonly selectors: OpenSelectors;
  /** Called for each request of a deprecated version. */
  readonly onDeprecated: (resource: ServedResource, subresource: string) => void;
}

/** Requests for objects and collections: finds the resource, then does what the verb means. */
export class ResourceHandler {
  readonly #parts: RegistryParts;
  readonly #authorizer: Authorizer;
  readonly #reading: BodyReading;
  readonly #computed: ComputedHandler;
  readonly #reviews: Reviews;
  readonly #onDeprecated: ResourceHandlerOptions['onDeprecated'];
  readonly #selectors: OpenSelectors;

  constructor(options: ResourceHandlerOptions) {
    const { parts, authorizer, maxBodyBytes, aliases, computed, reviews, onDeprecated } = options;
    this.#selectors = options.selectors;
    this.#onDeprecated = onDeprecated;
    this.#parts = parts;
    this.#authorizer = authorizer;
    this.#reading = { maxBytes: maxBodyBytes, aliases };
    this.#computed = computed;
    this.#reviews = reviews;
  }

  /** @throws ApiError (also as rejection) */
  handle(exchange: Exchange): Answer {
    const resource = this.#find(exchange);
    if (resource !== undefined) return this.#answer(exchange, resource);
    const { group } = exchange.info;
    if (!group.includes('.') && !isWorkloadGroup(group)) throw unknownResource();
    return this.#lookAgain(exchange);
  }

  #find({ info }: Exchange): ServedResource | undefined {
    const found = this.#parts.catalog.find(info.group, info.version, info.resource);
    return found === undefined || hasName(found, info.alias) ? found : undefined;
  }

  /** Another server may serve a new definition already: its client must find it here, too. */
  async #lookAgain(exchange: Exchange): Promise<ApiResponse> {
    await this.#parts.reader.freshness.fresh(exchange);
    const resource = this.#find(exchange);
    if (resource === undefined) throw unknownResource();
    return this.#answer(exchange, resource);
  }

  #answer(exchange: Exchange, resource: ServedResource): Answer {
    const { info } = exchange;
    const namespace = resource.definition.namespaced ? info.namespace : '';
    const target: Target = { resource, namespace, name: info.name };
    checkPath(exchange, target);
    if (resource.version.deprecation !== undefined) {
      exchange.warnings.add(resource.version.deprecation);
      exchange.annotations.set(AUDIT_DEPRECATED_ANNOTATION, 'true');
      this.#onDeprecated(resource, info.subresource);
    }
    checkVerb(exchange, resource);
    checkName(exchange);
    const turn = turnToCompile(resource, exchange.request.query);
    return andThen(turn, () => this.#do(exchange, target));
  }

  #do(exchange: Exchange, target: Target): Answer {
    const { resource } = target;
    if (resource.definition.computed === true) return this.#computed.handle(exchange, target);
    const preparing = prepared(resource, exchange.info.verb, this.#parts.clock);
    return andThen(preparing, () => this.#verb(exchange, target));
  }

  #verb(exchange: Exchange, target: Target): Answer {
    switch (exchange.info.verb) {
      case 'get':
        return this.#get(exchange, target);
      case 'list':
        return answerList(exchange, this.#parts, target);
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

  #get(exchange: Exchange, target: Target): Answer {
    checkAcceptable(exchange.request, target.resource);
    const point = getReadPoint(exchange.request.query.get('resourceVersion') ?? '');
    const read = isScale(exchange) ? getScale : getObject;
    const metadataOnly = (): boolean =>
      askedConversion(exchange.request, target.resource) === 'PartialObjectMetadata';
    const selection = filteredBy(exchange, this.#parts.views, target);
    const options = { caller: exchange, metadataOnly, selection };
    const show = (bytes: Buffer): Answer => {
      const asked = answered(exchange, target);
      const projection = projectionFrom(exchange.request.query, asked);
      return respondObject(exchange, asked, bytes, 200, { projection });
    };
    const bytes = read(this.#parts, target, point, options);
    return andThen(bytes, show);
  }

  async #watch(exchange: Exchange, target: Target): Promise<ApiResponse> {
    checkAcceptable(exchange.request, target.resource);
    const options = listOptionsFrom(exchange.request.query, true, exchange.rights);
    tellOfPart(exchange);
    refuseCount(exchange.request.query, 'a watch');
    checkStreamable(exchange, target, options, this.#parts.views.selectable);
    const asked = shown(exchange, target);
    const projection = projectionFrom(exchange.request.query, asked.resource);
    const accepted = await watch(this.#parts, asked, options, exchange);
    const counted = this.#selectors.admit(userOf(exchange).name, options, accepted);
    return respondWatch(exchange, this.#parts, asked, counted, projection);
  }

  async #create(exchange: Exchange, { resource, namespace }: Target): Promise<ApiResponse> {
    const target: Target = { resource, namespace, name: '' };
    checkAcceptable(exchange.request, resource);
    const request = this.#writeRequest(exchange, target, 'CreateOptions');
    const body = await this.#body(exchange, target);
    if (this.#reviews.handles(target)) {
      const bytes = await this.#reviews.answer(request, body, this.#parts.clock.now());
      return respondObject(exchange, answered(exchange, target), bytes, 201);
    }
    const result = await create(this.#parts, request, body);
    return respondObject(exchange, answered(exchange, target), result.bytes, 201);
  }

  async #update(exchange: Exchange, target: Target): Promise<ApiResponse> {
    requireName(target);
    checkAcceptable(exchange.request, target.resource);
    const request = this.#writeRequest(exchange, target, 'UpdateOptions');
    const body = await this.#body(exchange, target);
    const write = isScale(exchange) ? updateScale : update;
    const { bytes, created } = await write(this.#parts, request, body);
    return respondObject(exchange, answered(exchange, target), bytes, created ? 201 : 200);
  }

  async #patch(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const mediaType = patchMediaType(exchange.request, target.resource);
    requireName(target);
    checkAcceptable(exchange.request, target.resource);
    const errors = patchOptionErrors(exchange.request, mediaType);
    const request = this.#writeRequest(exchange, target, 'PatchOptions', errors);
    const decoded = await decodePatch(exchange.request, mediaType, this.#reading.maxBytes);
    const sent: Patch =
      decoded.type === 'apply'
        ? { ...decoded, body: named(exchange, target.resource, decoded.body) }
        : { alias: exchange.info.alias, ...decoded };
    const write = isScale(exchange) ? patchScale : patch;
    const { bytes, created } = await write(this.#parts, request, sent);
    return respondObject(exchange, answered(exchange, target), bytes, created ? 201 : 200);
  }

  async #delete(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const { resource } = target;
    const asked = askedConversion(exchange.request, resource);
    const body = await decodeOptionalBody(exchange.request, this.#reading.maxBytes);
    const options = deleteOptionsFrom(exchange.request.query, body);
    const context = contextOf(exchange);
    const result = await deleteObject(this.#parts, { context, target, options });
    const status = result.accepted ? 202 : 200;
    const isShown =
      resource.definition.deleteReturnsObject === true ||
      (asked === 'PartialObjectMetadata' && !result.gone);
    return isShown
      ? respondObject(exchange, answered(exchange, target), await result.object(), status)
      : respondStatus(exchange, result.status, status);
  }

  async #deleteCollection(exchange: Exchange, target: Target): Promise<ApiResponse> {
    const { query } = exchange.request;
    const asked = askedConversion(exchange.request, target.resource);
    refuseCount(query, 'a deletion');
    const listOptions = listOptionsFrom(query, false);
    if (looksAtValues(target.resource, listOptions)) await confirmList(this.#authorizer, exchange);
    const body = await decodeOptionalBody(exchange.request, this.#reading.maxBytes);
    const result = await deleteCollection(this.#parts, contextOf(exchange), target, {
      list: listOptions,
      listed: shown(exchange, target),
      delete: deleteOptionsFrom(query, body, true),
      keepsObjects: asked === 'PartialObjectMetadataList',
    });
    return result.deleted === undefined
      ? respondStatus(exchange, result.status, 200)
      : respondDeleted(exchange, this.#parts, shown(exchange, target), result.deleted);
  }

  async #body(exchange: Exchange, { resource }: Target): Promise<Body> {
    const decoded = await decodeBody(exchange.request, resource, this.#reading);
    const body = named(exchange, resource, decoded);
    exchange.sentNames = sentNames(body.value);
    return body;
  }

  #writeRequest(
    exchange: Exchange,
    target: Target,
    optionsKind: Extract<OptionsKind, 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'>,
    errors: readonly FieldError[] = [],
  ): WriteRequest {
    return {
      context: contextOf(exchange, () => confirmCreate(this.#authorizer, exchange)),
      target,
      // the path of a custom object, too, takes a POST: for the name that it was allowed for
      pathName: exchange.info.name,
      subresource: exchange.info.subresource,
      options: writeOptionsFrom(exchange.request.query, optionsKind, errors),
    };
  }
}

/** Only paths of custom resources come so far without one. @throws ApiError 400 */
function requireName({ name }: Target): void {
  if (name === '') throw badRequest('name must be provided');
}
