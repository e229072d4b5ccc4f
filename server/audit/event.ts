import { parseJson } from '../../api/json-parse.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { AUDIT_API_VERSION, PATCH_AUDIT_PREFIX } from '../../api/naming.ts';
import type { Status } from '../../api/status.ts';
import { microTimeOf } from '../../api/time.ts';
import type { UserInfo } from '../../api/user.ts';
import { headerValues } from '../http/header-values.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { mediaTypeOf } from '../wire/content-type.ts';
import { parseYaml } from '../wire/yaml/parse.ts';
import type { AuditDecision, AuditStage } from './policy.ts';

/** Bodies beyond this are left out of events. */
export const MAX_AUDIT_BODY_BYTES = 1024 * 1024;
/** What clients say of themselves is cut at this (reference: the same). */
const MAX_USER_AGENT = 1024;
/** Values of these parameters are credentials, wherever a client puts them. */
const SECRET_PARAMETERS = /([?&](?:access_token|id_token|token|client_secret|password)=)[^&]*/gi;

export interface EventParts {
  readonly exchange: Exchange;
  readonly decision: AuditDecision;
  readonly stage: AuditStage;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly now: number;
  /** Undefined before there is an answer. */
  readonly code: number | undefined;
  /** The Status of a refusal. */
  readonly status: Status | undefined;
  readonly requestBody: Buffer | undefined;
  readonly responseBody: Buffer | undefined;
}

/** One event as JSON text. Source: behaviours 11.2. */
export function eventText(parts: EventParts): string {
  const { exchange, decision, stage, code, status } = parts;
  const { info, request, auditId, impersonator } = exchange;
  const user = impersonator ?? exchange.user;
  const event: JsonObject = {
    kind: 'Event',
    apiVersion: AUDIT_API_VERSION,
    level: decision.level,
    auditID: auditId,
    stage,
    requestURI: requestUri(exchange),
    verb: info.verb,
    user: user === undefined ? {} : userOf(user),
    sourceIPs: sourceIps(exchange),
  };
  if (impersonator !== undefined && exchange.user !== undefined) {
    event.impersonatedUser = userOf(exchange.user);
  }
  const agent = request.headers['user-agent'] ?? '';
  if (agent !== '') event.userAgent = agent.slice(0, MAX_USER_AGENT);
  if (info.isResource) event.objectRef = referenceOf(exchange);
  if (code !== undefined) event.responseStatus = responseStatus(code, status);
  addBodies(event, parts);
  event.requestReceivedTimestamp = microTimeOf(parts.receivedAt);
  event.stageTimestamp = microTimeOf(parts.now);
  const annotations = annotationsOf(exchange, decision);
  if (annotations !== undefined) event.annotations = annotations;
  return stringifyJson(event);
}

function requestUri({ request: { rawPath, query } }: Exchange): string {
  const search = query.toString();
  return search === '' ? rawPath : `${rawPath}?${search}`.replace(SECRET_PARAMETERS, '$1REDACTED');
}

function userOf({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    username: name,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0
      ? {}
      : {
          extra: Object.fromEntries(
            Object.entries(extra).map(([key, values]) => [key, [...values]]),
          ),
        }),
  };
}

/** Those that proxies say, which anybody may say, then the one that is certain. */
function sourceIps({ request }: Exchange): string[] {
  const forwarded = headerValues(request, 'x-forwarded-for')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  const all = [...forwarded, ...headerValues(request, 'x-real-ip'), request.peer.address];
  return [...new Set(all)];
}

function referenceOf({ info }: Exchange): JsonObject {
  const reference: JsonObject = { resource: info.resource };
  if (info.namespace !== '') reference.namespace = info.namespace;
  if (info.name !== '') reference.name = info.name;
  if (info.group !== '') reference.apiGroup = info.group;
  reference.apiVersion = info.version;
  if (info.subresource !== '') reference.subresource = info.subresource;
  return reference;
}

function responseStatus(code: number, status: Status | undefined): JsonObject {
  if (status === undefined) return { metadata: {}, code };
  return {
    metadata: {},
    status: status.status,
    ...(status.message === undefined ? {} : { message: status.message }),
    ...(status.reason === undefined ? {} : { reason: status.reason }),
    code,
  };
}

function annotationsOf(
  { annotations }: Exchange,
  { level }: AuditDecision,
): JsonObject | undefined {
  const showsObjects = level === 'Request' || level === 'RequestResponse';
  // Patches of webhooks are parts of objects.
  const shown = [...annotations].filter(
    ([key]) => showsObjects || !key.startsWith(PATCH_AUDIT_PREFIX),
  );
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

function addBodies(event: JsonObject, parts: EventParts): void {
  const { exchange, decision, requestBody, responseBody } = parts;
  const { omitManagedFields } = decision;
  if (requestBody !== undefined) {
    const type = exchange.request.headers['content-type'] ?? '';
    const isYaml = mediaTypeOf(type)?.endsWith('yaml') === true;
    const value = parsed(requestBody, isYaml);
    if (value !== undefined) event.requestObject = shown(value, omitManagedFields);
  }
  if (responseBody !== undefined) {
    const value = parsed(responseBody, false);
    if (value !== undefined) event.responseObject = shown(value, omitManagedFields);
  }
}

/** Undefined for what is no JSON: a refused body, protobuf, a compressed answer. */
function parsed(body: Buffer, isYaml: boolean): JsonValue | undefined {
  if (body.length === 0 || body.length > MAX_AUDIT_BODY_BYTES) return undefined;
  try {
    const text = body.toString('utf8');
    return isYaml ? parseYaml(text).value : parseJson(text).value;
  } catch {
    return undefined;
  }
}

function shown(value: JsonValue, omitManagedFields: boolean): JsonValue {
  if (!omitManagedFields || !isObject(value)) return value;
  const items = Array.isArray(value.items)
    ? { items: value.items.map((item) => shown(item, true)) }
    : {};
  if (!isObject(value.metadata)) return { ...value, ...items };
  const { managedFields: _, ...metadata } = value.metadata;
  return { ...value, ...items, metadata };
}
