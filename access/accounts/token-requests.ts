import { apiError, badRequest, invalid, methodNotAllowed, notFound } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { fieldError, type FieldError } from '../../api/field-error.ts';
import { parseApiVersion, type GroupVersionKind } from '../../api/group-version.ts';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { aliasApiVersion, MEDIA_TYPE, neutralApiVersion } from '../../api/naming.ts';
import type { ApiObject } from '../../api/object.ts';
import { formatTime } from '../../api/time.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { ApiResponse } from '../../http/message.ts';
import { decodeObject } from '../../registry/body.ts';
import { admit } from '../../registry/admit.ts';
import type { RequestContext } from '../../registry/context.ts';
import { fitNamespace } from '../../registry/fit-path.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { servedResource, type ServedResource } from '../../registry/served-resource.ts';
import { writeOptionsFrom } from '../../registry/write-options.ts';
import type { WriteRequest } from '../../registry/write-request.ts';
import { tokenRequestDefinition } from '../../resources/authentication/token-request.ts';
import { encodeServed } from '../../storage/stored-bytes.ts';
import { decodeBody } from '../../wire/decode-body.ts';
import { respondObject } from '../../wire/respond-object.ts';
import type { AccountTokens } from './account-tokens.ts';
import { BOUND_KINDS, type BoundObject } from './claims.ts';
import type { Holders } from './lookup.ts';

const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
const ACCOUNTS = { group: '', resource: 'serviceaccounts' };
const SUBRESOURCE = 'token';

interface TokenRequestsOptions {
  readonly tokens: AccountTokens;
  readonly holders: Holders;
  readonly clock: Clock;
  readonly maxBodyBytes: number;
  /** The group may go by its alias. */
  readonly aliases: boolean;
  readonly parts: RegistryParts;
  readonly contextOf: (exchange: Exchange) => RequestContext;
  /** How long tokens live at most; undefined: as long as clients ask for. */
  readonly maxSeconds: number | undefined;
}

/** The path `/token` below service accounts: makes tokens for them. Source: behaviours 9.21. */
export class TokenRequests {
  readonly #options: TokenRequestsOptions;

  constructor(options: TokenRequestsOptions) {
    this.#options = options;
  }

  /** Undefined: not this path. @throws ApiError (as rejection) */
  route(exchange: Exchange): Promise<ApiResponse> | undefined {
    const { isResource, group, version, resource, subresource } = exchange.info;
    const isOwn =
      isResource &&
      group === '' &&
      version === 'v1' &&
      resource === ACCOUNTS.resource &&
      subresource === SUBRESOURCE;
    return isOwn ? this.#answer(exchange) : undefined;
  }

  async #answer(exchange: Exchange): Promise<ApiResponse> {
    const { info, request, warnings } = exchange;
    if (info.verb !== 'create') throw methodNotAllowed(ACCOUNTS, info.verb);
    const { tokens, clock, maxBodyBytes, aliases, parts, contextOf, maxSeconds } = this.#options;
    const [version] = tokenRequestDefinition.versions;
    if (version === undefined) throw new Error('the kind of token requests has no version');
    const resource = servedResource(tokenRequestDefinition, version);
    const options = writeOptionsFrom(request.query, 'CreateOptions', []);
    const body = await decodeBody(request, resource, { maxBytes: maxBodyBytes, aliases });
    // who speaks protobuf knows Kubernetes' name only, which decoding has replaced
    const isProtobuf = request.headers['content-type']?.startsWith(MEDIA_TYPE.protobuf) === true;
    const taken = aliases ? takeName(body.value) : undefined;
    const sentName = isProtobuf && aliases ? aliasApiVersion(taken ?? '') : taken;
    const object = await decodeObject(body, resource, options.fieldValidation, warnings);
    fitNamespace(object.metadata, { resource, namespace: info.namespace, name: info.name });
    const { name: given = '' } = object.metadata;
    if (given !== '' && given !== info.name) {
      throw badRequest('the name of the TokenRequest must be that of the service account');
    }
    object.metadata.name = info.name;
    const uid = await this.#uidOf(info.namespace, info.name);
    const write: WriteRequest = {
      context: contextOf(exchange),
      target: { resource: belowAccounts(resource), namespace: info.namespace, name: info.name },
      subresource: SUBRESOURCE,
      options,
    };
    const admitted = await admit.mutate(parts, write, 'CREATE', object, undefined);
    const spec = isObject(admitted['spec'] ?? null) ? (admitted['spec'] as JsonObject) : {};
    const wanted = Number(spec['expirationSeconds'] ?? DEFAULT_SECONDS);
    const errors = secondsErrors(wanted);
    if (errors.length > 0) throw invalid(kindAs(resource, sentName), info.name, errors);
    await admit.validate(parts, write, 'CREATE', admitted, undefined);
    const seconds = Math.min(wanted, maxSeconds ?? wanted);
    if (seconds < wanted) {
      warnings.add(`requested expiration of ${wanted} seconds shortened to ${seconds} seconds`);
    }
    const bound = await this.#boundObject(info.namespace, spec['boundObjectRef']);
    const sent = textsOf(spec['audiences']);
    const audiences = sent.length === 0 ? [...tokens.audiences] : sent;
    const account = { namespace: info.namespace, name: info.name, uid };
    const made = options.dryRun
      ? { token: '', expires: clock.now() + seconds * 1000 }
      : await tokens.issue({ account, bound, audiences, seconds });
    const answer: ApiObject = {
      apiVersion: sentName ?? object.apiVersion,
      kind: object.kind,
      metadata: {
        name: info.name,
        namespace: info.namespace,
        creationTimestamp: formatTime(clock.now()),
      },
      spec: { ...spec, audiences, expirationSeconds: seconds },
      status: { token: made.token, expirationTimestamp: formatTime(made.expires) },
    };
    return respondObject(exchange, resource, encodeServed(answer), 201);
  }

  async #uidOf(namespace: string, name: string): Promise<string> {
    const { resource } = ACCOUNTS;
    const uid = await this.#options.holders.uidOf({ resource, namespace, name });
    if (uid === undefined) throw notFound(ACCOUNTS, name);
    return uid;
  }

  async #boundObject(
    namespace: string,
    reference: JsonValue | undefined,
  ): Promise<BoundObject | undefined> {
    if (reference === undefined || !isObject(reference)) return undefined;
    const [kind, apiVersion, name, wanted] = ['kind', 'apiVersion', 'name', 'uid'].map((field) => {
      const value = reference[field];
      return typeof value === 'string' ? value : '';
    }) as [string, string, string, string];
    const bindable = BOUND_KINDS.get(kind);
    if (bindable === undefined || apiVersion !== 'v1') {
      throw badRequest(`cannot bind a token to an object of type ${apiVersion} ${kind}`);
    }
    const { resource } = bindable;
    const holder = { resource, namespace: kind === 'Node' ? '' : namespace, name };
    const uid = await this.#options.holders.uidOf(holder);
    if (uid === undefined) throw notFound({ group: '', resource }, name);
    if (wanted !== '' && wanted !== uid) {
      const why = `the UID in the bound object reference (${wanted}) does not match the UID in record`;
      throw apiError(
        409,
        'Conflict',
        `${why}. The object might have been deleted and then recreated`,
      );
    }
    return { kind, name, uid };
  }
}

/** A TokenRequest in kind, a service account in where it is: as rules of admission name it. */
function belowAccounts(request: ServedResource): ServedResource {
  return { ...request, resource: { ...ACCOUNTS, version: 'v1' }, groupResource: ACCOUNTS };
}

/** The body loses the other name of its group; the name that was sent, to answer in it. */
function takeName(value: JsonValue): string | undefined {
  if (!isObject(value) || typeof value.apiVersion !== 'string') return undefined;
  const sent = value.apiVersion;
  if (sent === '') return undefined;
  value.apiVersion = neutralApiVersion(sent);
  return sent;
}

/** The kind in the group of the name that the client sent, as refusals name it. */
function kindAs({ kind }: ServedResource, sentName: string | undefined): GroupVersionKind {
  return { ...kind, ...(sentName === undefined ? undefined : parseApiVersion(sentName)) };
}

function secondsErrors(seconds: number): FieldError[] {
  const path = 'spec.expirationSeconds';
  if (seconds < MIN_SECONDS) {
    return [fieldError.invalid(path, seconds, 'may not specify a duration less than 10 minutes')];
  }
  return seconds > MAX_SECONDS
    ? [fieldError.invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')]
    : [];
}

function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
