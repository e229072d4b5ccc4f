import { stringifyJson } from '../../api/json-write.ts';
import { stringifyLargeJson } from '../../api/json-write-steps.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import {
  AUDIT_API_VERSION,
  AUDIT_TRUNCATED_ANNOTATION,
  PATCH_AUDIT_PREFIX,
} from '../../api/naming.ts';
import type { Status } from '../../api/status.ts';
import { microTimeOf } from '../../api/time.ts';
import type { UserInfo } from '../../api/user.ts';
import { headerValues } from '../../http/header-values.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { AuditEvent } from './backend.ts';
import { type EventObjects, objectsOf } from './event-objects.ts';
import { isAboutSecrets, uriWithoutSecrets } from './secrets.ts';
import type { AuditDecision } from './policy.ts';
import type { EventParts } from './event-parts.ts';

/** Characters at which a User-Agent is cut, as in kube-apiserver. */
const MAX_USER_AGENT = 1024;

const NO_OBJECTS: EventObjects = { objects: {}, isWhole: true };

/** One event. A promise when there are bodies to read for it. Source: behaviours 11.2. */
export function auditEvent(parts: EventParts): AuditEvent | Promise<AuditEvent> {
  if (parts.requestBody === undefined && parts.responseBody === undefined) {
    return new ComposedEvent(eventOf(parts, NO_OBJECTS));
  }
  return withBodies(parts);
}

/** The text of large objects is written in turns. */
async function withBodies(parts: EventParts): Promise<AuditEvent> {
  const event = eventOf(parts, await objectsOf(parts));
  return new ComposedEvent(event, await stringifyLargeJson(event));
}

/** Its strings are built when they are first needed, unless they are there. */
class ComposedEvent implements AuditEvent {
  readonly #event: JsonObject;
  #text: string | undefined;
  #shortened: string | undefined;

  constructor(event: JsonObject, text?: string) {
    this.#event = event;
    this.#text = text;
  }

  get text(): string {
    return (this.#text ??= stringifyJson(this.#event));
  }

  get shortened(): string {
    return (this.#shortened ??= this.#hasObjects() ? this.#shorten() : this.text);
  }

  #hasObjects(): boolean {
    const { requestObject, responseObject } = this.#event;
    return requestObject !== undefined || responseObject !== undefined;
  }

  #shorten(): string {
    const { requestObject: _, responseObject: __, annotations = {}, ...rest } = this.#event;
    const noted = isObject(annotations) ? annotations : {};
    return stringifyJson({
      ...rest,
      annotations: { ...noted, [AUDIT_TRUNCATED_ANNOTATION]: 'true' },
    });
  }
}

function eventOf(parts: EventParts, bodies: EventObjects): JsonObject {
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
    const { impersonationConstraint } = exchange;
    if (impersonationConstraint !== '') event.authenticationMetadata = { impersonationConstraint };
  }
  const agent = request.headers['user-agent'] ?? '';
  if (agent !== '') event.userAgent = agent.slice(0, MAX_USER_AGENT);
  if (info.isResource) event.objectRef = referenceOf(exchange);
  if (code !== undefined) event.responseStatus = responseStatus(code, status, isAboutSecrets(info));
  Object.assign(event, bodies.objects);
  event.requestReceivedTimestamp = microTimeOf(parts.receivedAt);
  event.stageTimestamp = microTimeOf(parts.now);
  const annotations = annotationsOf(exchange, decision);
  if (!bodies.isWhole) annotations[AUDIT_TRUNCATED_ANNOTATION] = 'true';
  if (Object.keys(annotations).length > 0) event.annotations = annotations;
  return event;
}

function requestUri({ request: { rawPath, query } }: Exchange): string {
  const search = query.toString();
  return search === '' ? rawPath : uriWithoutSecrets(`${rawPath}?${search}`);
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

/** The addresses that headers of proxies name, which a client can forge, then the address of the peer. */
function sourceIps({ request }: Exchange): string[] {
  const forwarded = headerValues(request, 'x-forwarded-for')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  const all = [...forwarded, ...headerValues(request, 'x-real-ip'), request.peer.address];
  return [...new Set(all)];
}

/** What the path names; where it names nothing, the object that was sent does. As in kube-apiserver. */
function referenceOf({ info, sentNames }: Exchange): JsonObject {
  const all: [key: string, value: string | undefined][] = [
    ['resource', info.resource],
    ['namespace', info.namespace === '' ? sentNames?.namespace : info.namespace],
    ['name', info.name === '' ? sentNames?.name : info.name],
    ['uid', sentNames?.uid],
    ['apiGroup', info.group],
    ['apiVersion', info.version],
    ['resourceVersion', sentNames?.resourceVersion],
    ['subresource', info.subresource],
  ];
  const reference: JsonObject = {};
  for (const [key, value = ''] of all) if (value !== '') reference[key] = value;
  return reference;
}

function responseStatus(code: number, status: Status | undefined, isSecret: boolean): JsonObject {
  if (status === undefined) return { metadata: {}, code };
  // what is wrong with a body that holds a token is told with pieces of it
  const message = isSecret ? undefined : status.message;
  return {
    metadata: {},
    status: status.status,
    ...(message === undefined ? {} : { message }),
    ...(status.reason === undefined ? {} : { reason: status.reason }),
    code,
  };
}

function annotationsOf({ annotations }: Exchange, { level }: AuditDecision): JsonObject {
  const showsObjects = level === 'Request' || level === 'RequestResponse';
  // Patches of webhooks are parts of objects.
  const shown = [...annotations].filter(
    ([key]) => showsObjects || !key.startsWith(PATCH_AUDIT_PREFIX),
  );
  return Object.fromEntries(shown);
}
