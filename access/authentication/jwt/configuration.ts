import { eitherApiVersion } from '../../../api/naming.ts';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { parseYaml } from '../../../yaml/parse.ts';
import { AUTHENTICATION_CONFIGURATION_SCHEMA } from './configuration-schema.ts';

/** A file with an AuthenticationConfiguration, as its author writes it. Source: behaviours 10.1. */
export interface AuthenticationConfiguration {
  readonly jwt?: readonly JwtConfiguration[];
  readonly anonymous?: {
    readonly enabled: boolean;
    /** Paths that are let in; none: every path. */
    readonly conditions?: readonly { readonly path: string }[];
  };
}

export interface JwtConfiguration {
  readonly issuer: IssuerConfiguration;
  readonly claimValidationRules?: readonly ClaimRule[];
  readonly claimMappings: ClaimMappingsConfiguration;
  readonly userValidationRules?: readonly {
    readonly expression: string;
    readonly message?: string;
  }[];
  /** Signature algorithms; absent: every one that takes a public key. */
  readonly algorithms?: readonly string[];
}

export interface IssuerConfiguration {
  /** As the claim `iss` has it. */
  readonly url: string;
  /** Where the discovery document is, when not below the url. */
  readonly discoveryURL?: string;
  /** PEM; absent: the authorities of the system. */
  readonly certificateAuthority?: string;
  readonly audiences: readonly string[];
}

/** A claim that must have a value, or an expression that must be true. */
export interface ClaimRule {
  readonly claim?: string;
  readonly requiredValue?: string;
  readonly expression?: string;
  readonly message?: string;
}

/** Where a part of the user comes from: a claim, or an expression over all of them. */
export interface MappingConfiguration {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}

interface ClaimMappingsConfiguration {
  readonly username: MappingConfiguration;
  readonly groups?: MappingConfiguration;
  readonly uid?: MappingConfiguration;
  readonly extra?: readonly { readonly key: string; readonly valueExpression: string }[];
}

const API_VERSIONS = eitherApiVersion('apiserver.config', ['v1', 'v1beta1']);

let compiled: ValidateFunction | undefined;

/** Compiled when a file is read: most servers have none, and it took a tenth of every start. */
function shapeValidator(): ValidateFunction {
  return (compiled ??= new Ajv({ allErrors: false }).compile(AUTHENTICATION_CONFIGURATION_SCHEMA));
}

/**
 * Reads the text of such a file, YAML or JSON.
 *
 * @throws Error that names the field
 */
export function parseAuthenticationConfiguration(text: string): AuthenticationConfiguration {
  const { value, duplicates } = parseYaml(text);
  const [duplicate] = duplicates;
  if (duplicate !== undefined) throw new Error('a key occurs twice');
  const validateShape = shapeValidator();
  if (!validateShape(value)) {
    throw new Error(problemOf(validateShape.errors?.[0]));
  }
  const configuration = value as unknown as AuthenticationConfiguration & { apiVersion: string };
  if (!API_VERSIONS.includes(configuration.apiVersion)) {
    throw new Error(`apiVersion must be one of ${API_VERSIONS.join(', ')}`);
  }
  const issuers = new Set<string>();
  for (const [i, jwt] of (configuration.jwt ?? []).entries()) {
    checkIssuer(jwt.issuer, `jwt.${i}.issuer`);
    if (issuers.has(jwt.issuer.url)) throw new Error(`jwt.${i}.issuer.url occurs twice`);
    issuers.add(jwt.issuer.url);
    checkMappings(jwt, `jwt.${i}`);
  }
  return configuration;
}

function problemOf(error: ErrorObject | undefined): string {
  if (error === undefined) return 'the file is not valid';
  const { instancePath, keyword, params, message } = error;
  const at = instancePath.slice(1).replaceAll('/', '.');
  const where = at === '' ? 'the file' : at;
  if (keyword !== 'additionalProperties') return `${where} ${message ?? 'is not valid'}`;
  const { additionalProperty } = params as { additionalProperty: string };
  return `${where} has an unknown field ${additionalProperty}`;
}

function checkIssuer({ url, discoveryURL }: IssuerConfiguration, at: string): void {
  checkUrl(url, `${at}.url`);
  if (discoveryURL === undefined) return;
  checkUrl(discoveryURL, `${at}.discoveryURL`);
  if (discoveryURL.replace(/\/+$/, '') === url.replace(/\/+$/, '')) {
    throw new Error(`${at}.discoveryURL must differ from url`);
  }
}

/** @throws Error that names the field */
export function checkUrl(text: string, at: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw new Error(`${at} must be an https URL`);
  if (url.username !== '' || url.password !== '')
    throw new Error(`${at} must not contain a password`);
  if (url.search !== '' || url.hash !== '')
    throw new Error(`${at} must not have a query or a fragment`);
}

function checkMappings(jwt: JwtConfiguration, at: string): void {
  const { claimMappings, claimValidationRules = [] } = jwt;
  for (const key of ['username', 'groups', 'uid'] as const) {
    const mapping = claimMappings[key];
    if (mapping === undefined) continue;
    const path = `${at}.claimMappings.${key}`;
    if (key === 'username' && isAbsent(mapping.claim) && isAbsent(mapping.expression)) {
      throw new Error(`${path} must have a claim or an expression`);
    }
    checkMapping(mapping, path, key !== 'uid');
  }
  for (const [i, rule] of claimValidationRules.entries()) {
    const path = `${at}.claimValidationRules.${i}`;
    if (isAbsent(rule.claim) === isAbsent(rule.expression)) {
      throw new Error(`${path} must have either a claim or an expression`);
    }
  }
  checkVerifiedEmail(jwt, at);
}

/** The prefix must be explicit, even if empty: without one the issuer can name any user of this server. */
function checkMapping(mapping: MappingConfiguration, at: string, takesPrefix: boolean): void {
  const { claim, prefix, expression } = mapping;
  if (!isAbsent(claim) && !isAbsent(expression)) {
    throw new Error(`${at} must not have both a claim and an expression`);
  }
  if (!takesPrefix) return;
  if (!isAbsent(claim) && prefix === undefined) {
    throw new Error(`${at}.prefix is required with a claim; it may be empty`);
  }
  if (!isAbsent(expression) && prefix !== undefined) {
    throw new Error(`${at}.prefix is allowed only with a claim`);
  }
}

/** An unverified email address must not be used as a name. */
function checkVerifiedEmail(jwt: JwtConfiguration, at: string): void {
  const { username, extra = [] } = jwt.claimMappings;
  const expression = username.expression ?? '';
  if (!/claims\s*\.\s*email\b/.test(expression)) return;
  const others = [
    ...extra.map(({ valueExpression }) => valueExpression),
    ...(jwt.claimValidationRules ?? []).map((rule) => rule.expression ?? ''),
  ];
  if ([expression, ...others].some((text) => text.includes('email_verified'))) return;
  throw new Error(
    `${at}.claimMappings.username.expression uses claims.email, so claims.email_verified must be used in it, in an extra or in a claimValidationRule`,
  );
}

function isAbsent(text: string | undefined): boolean {
  return text === undefined || text === '';
}
