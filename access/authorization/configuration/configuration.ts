import { eitherApiVersion } from '../../../api/naming.ts';
import { Ajv, type ValidateFunction } from 'ajv';
import { dns1123SubdomainErrors } from '../../../api/names.ts';
import { parseDuration } from '../../../cel/value/duration.ts';
import { parseYaml } from '../../../yaml/parse.ts';
import { AUTHORIZATION_CONFIGURATION_SCHEMA } from './configuration-schema.ts';
import { MatchConditions } from './match-conditions.ts';

/** Who decides, in this order. Source: behaviours 10.4. */
export type AuthorizerConfiguration =
  | { readonly type: 'RBAC' | 'AlwaysAllow' | 'AlwaysDeny'; readonly name: string }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: WebhookConfiguration };

interface WebhookConfiguration {
  readonly kubeConfigFile: string;
  readonly timeoutMs: number;
  /** How long answers are remembered; 0: not at all. */
  readonly allowedTtlMs: number;
  readonly otherTtlMs: number;
  /** What is decided when the webhook cannot be asked. */
  readonly onFailure: 'deny' | 'noOpinion';
  readonly conditions: MatchConditions;
}

/** As its author writes it. */
interface ConfigurationFile {
  readonly apiVersion: string;
  readonly authorizers: readonly {
    readonly type: string;
    readonly name: string;
    readonly webhook?: WebhookEntry;
  }[];
}

interface WebhookEntry {
  readonly authorizedTTL?: string;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: string;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  readonly connectionInfo: { readonly kubeConfigFile: string };
  readonly matchConditions?: readonly { readonly expression: string }[];
}

const API_VERSIONS = eitherApiVersion('apiserver.config', ['v1', 'v1beta1']);
const TYPES = ['RBAC', 'Webhook', 'AlwaysAllow', 'AlwaysDeny'] as const;
const DEFAULT_ALLOWED_TTL = '5m';
const DEFAULT_OTHER_TTL = '30s';
const MAX_TIMEOUT_MS = 30_000;

let compiled: ValidateFunction | undefined;

/** Compiled when a file is read: most servers have none, and it took a tenth of every start. */
function shapeValidator(): ValidateFunction {
  return (compiled ??= new Ajv({ allErrors: false }).compile(AUTHORIZATION_CONFIGURATION_SCHEMA));
}

/**
 * Reads the text of a file with an AuthorizationConfiguration, YAML or JSON.
 *
 * @throws Error that names the field
 */
export function parseAuthorizationConfiguration(text: string): AuthorizerConfiguration[] {
  const { value, duplicates } = parseYaml(text);
  if (duplicates.length > 0) throw new Error('a key occurs twice');
  const validateShape = shapeValidator();
  if (!validateShape(value)) {
    const [error] = validateShape.errors ?? [];
    const at = (error?.instancePath ?? '').slice(1).replaceAll('/', '.');
    throw new Error(`${at === '' ? 'the file' : at} ${error?.message ?? 'is not valid'}`);
  }
  const { apiVersion, authorizers } = value as unknown as ConfigurationFile;
  if (!API_VERSIONS.includes(apiVersion)) {
    throw new Error(`apiVersion must be one of ${API_VERSIONS.join(', ')}`);
  }
  const seen = new Set<string>();
  return authorizers.map(({ type, name, webhook }, i) => {
    const at = `authorizers.${i}`;
    const known = TYPES.find((one) => one === type);
    if (known === undefined) throw new Error(`${at}.type must be one of ${TYPES.join(', ')}`);
    if (dns1123SubdomainErrors(name).length > 0)
      throw new Error(`${at}.name must be a DNS subdomain`);
    for (const unique of known === 'Webhook' ? [`name ${name}`] : [`name ${name}`, known]) {
      if (seen.has(unique)) throw new Error(`${at}: ${unique} occurs twice`);
      seen.add(unique);
    }
    if (known !== 'Webhook') {
      if (webhook !== undefined) throw new Error(`${at}.webhook is allowed only with type Webhook`);
      return { type: known, name };
    }
    if (webhook === undefined) throw new Error(`${at}.webhook is required with type Webhook`);
    return { type: known, name, webhook: webhookOf(webhook, `${at}.webhook`) };
  });
}

function webhookOf(entry: WebhookEntry, at: string): WebhookConfiguration {
  const { cacheAuthorizedRequests = true, cacheUnauthorizedRequests = true } = entry;
  const timeoutMs = durationMs(entry.timeout, `${at}.timeout`);
  if (timeoutMs > MAX_TIMEOUT_MS) throw new Error(`${at}.timeout must be at most 30s`);
  const allowedTtlMs = ttlMs(entry.authorizedTTL, DEFAULT_ALLOWED_TTL, `${at}.authorizedTTL`);
  const otherTtlMs = ttlMs(entry.unauthorizedTTL, DEFAULT_OTHER_TTL, `${at}.unauthorizedTTL`);
  const { kubeConfigFile } = entry.connectionInfo;
  if (!kubeConfigFile.startsWith('/')) {
    throw new Error(`${at}.connectionInfo.kubeConfigFile must be an absolute path`);
  }
  const conditions = entry.matchConditions ?? [];
  if (conditions.length > 0 && entry.matchConditionSubjectAccessReviewVersion === undefined) {
    throw new Error(`${at}.matchConditionSubjectAccessReviewVersion is required`);
  }
  return {
    kubeConfigFile,
    timeoutMs,
    allowedTtlMs: cacheAuthorizedRequests ? allowedTtlMs : 0,
    otherTtlMs: cacheUnauthorizedRequests ? otherTtlMs : 0,
    onFailure: entry.failurePolicy === 'Deny' ? 'deny' : 'noOpinion',
    conditions: new MatchConditions(
      conditions.map(({ expression }) => expression),
      `${at}.matchConditions`,
    ),
  };
}

/** What is not set, or set to nothing, is as by default. */
function ttlMs(text: string | undefined, otherwise: string, at: string): number {
  return durationMs(text === undefined || parseDuration(text) === 0n ? otherwise : text, at);
}

const NANOSECONDS_OF_MS = 1e6;

function durationMs(text: string, at: string): number {
  const duration = parseDuration(text);
  if (duration !== undefined && duration > 0n) return Number(duration) / NANOSECONDS_OF_MS;
  throw new Error(`${at} must be a duration above 0s, such as 3s or 5m`);
}
