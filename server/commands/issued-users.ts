import { requestSchema } from '../../resources/certificates/request-schema.ts';
import { objectOf } from '../../resources/object-of.ts';
import { X509Certificate } from 'node:crypto';
import { CERTIFICATES_GROUP } from '../../api/naming.ts';
import { isObject, type JsonObject } from '../../api/json.ts';
import { apiObjectOf } from '../../api/object.ts';
import { systemClock } from '../../api/clock.ts';
import { makeSigningRequest } from '../../access/certificates/signing-request.ts';
import type { KeyPair } from '../../access/pki/certificates.ts';
import {
  API_CLIENT_SIGNER,
  isIn,
  type SigningRequest,
} from '../../resources/certificates/request.ts';
import type { ApiClient } from './api-client.ts';

const API_VERSION = `${CERTIFICATES_GROUP}/v1`;
const REQUESTS = `/apis/${API_VERSION}/certificatesigningrequests`;
/** How long the signer of the server may take. */
const PATIENCE_MS = 30_000;
const POLL_MS = 100;

/** A certificate by which a user signs in, as its signing request records it. */
export interface IssuedUser {
  /** The name of the signing request. */
  readonly request: string;
  readonly user: string;
  readonly groups: readonly string[];
  /** Milliseconds. */
  readonly validTo: number;
  readonly isRevoked: boolean;
}

interface NewUser {
  readonly user: string;
  readonly groups: readonly string[];
  readonly expirationSeconds: number | undefined;
}

/**
 * Issues a certificate through the API: a signing request, its approval, and the
 * answer of the server's signer. The key never leaves this process.
 *
 * @throws Error with one line for the operator
 */
export async function issueUser(
  api: ApiClient,
  { user, groups, expirationSeconds }: NewUser,
): Promise<KeyPair> {
  const { request, key } = await makeSigningRequest(user, groups);
  const created = await api.send('POST', REQUESTS, {
    metadata: { generateName: 'user-' },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: API_CLIENT_SIGNER,
      usages: ['client auth', 'digital signature'],
      ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
    },
  });
  const { name = '' } = requestOf(created).metadata;
  await decide(api, name, 'Approved', 'approved by plinth user add');
  return { certificate: await signedCertificate(api, name), key };
}

async function signedCertificate(api: ApiClient, name: string): Promise<string> {
  const end = systemClock.monotonic() + PATIENCE_MS;
  while (systemClock.monotonic() < end) {
    const { status } = requestOf(await api.send('GET', `${REQUESTS}/${name}`));
    const { certificate = '', conditions = [] } = status;
    if (certificate !== '') return Buffer.from(certificate, 'base64').toString('utf8');
    const failed = conditions.find(({ type }) => type === 'Failed');
    if (failed !== undefined)
      throw new Error(`${name}: ${failed.message ?? 'the signer has failed'}`);
    await new Promise<void>((resolve) => void systemClock.after(POLL_MS, resolve));
  }
  throw new Error(
    `${name} is approved, but no server has signed it: see --cluster-signing-cert-file`,
  );
}

/** All certificates of users that the API has a record of, by user and end. */
export async function issuedUsers(api: ApiClient): Promise<IssuedUser[]> {
  const { items } = await api.send('GET', REQUESTS);
  return (Array.isArray(items) ? items.filter(isObject) : [])
    .flatMap(issuedUser)
    .sort((a, b) => (a.user === b.user ? a.validTo - b.validTo : a.user < b.user ? -1 : 1));
}

function issuedUser(object: JsonObject): IssuedUser[] {
  const request = requestOf(object);
  const { certificate = '' } = request.status;
  if (certificate === '' || request.spec.signerName !== API_CLIENT_SIGNER) return [];
  const { subject, valid_to: validTo } = new X509Certificate(
    Buffer.from(certificate, 'base64'),
  ).toLegacyObject();
  const { CN = '', O = [] } = subject as { CN?: string | string[]; O?: string | string[] };
  return [
    {
      request: request.metadata.name ?? '',
      user: [CN].flat().at(-1) ?? '',
      groups: [O].flat(),
      validTo: Date.parse(validTo),
      isRevoked: isIn(request, 'Revoked'),
    },
  ];
}

/**
 * Revokes every certificate of a user; how many were valid until then.
 *
 * @throws Error with the message of the Status
 */
export async function revokeUser(api: ApiClient, user: string): Promise<number> {
  const valid = (await issuedUsers(api)).filter((one) => one.user === user && !one.isRevoked);
  for (const { request } of valid) {
    await decide(api, request, 'Revoked', 'revoked by plinth user revoke');
  }
  return valid.length;
}

async function decide(
  api: ApiClient,
  name: string,
  type: 'Approved' | 'Revoked',
  message: string,
): Promise<void> {
  const path = `${REQUESTS}/${name}`;
  const { status } = requestOf(await api.send('GET', path));
  const condition = { type, status: 'True', reason: 'Operator', message };
  const op =
    status.conditions === undefined
      ? { op: 'add', path: '/status/conditions', value: [condition] }
      : { op: 'add', path: '/status/conditions/-', value: condition };
  await api.send('PATCH', `${path}/approval`, [op], 'application/json-patch+json');
}

/** Items of a list carry neither apiVersion nor kind. */
function requestOf(object: JsonObject): SigningRequest {
  const { spec, status } = object;
  return objectOf(
    requestSchema,
    apiObjectOf({
      apiVersion: API_VERSION,
      kind: 'CertificateSigningRequest',
      ...object,
      spec: isObject(spec) ? spec : {},
      status: isObject(status) ? status : {},
    }),
  );
}
