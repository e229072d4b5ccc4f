import { fieldError, type FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import { getPath, isObject, type JsonObject } from '../../api/json.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { REVOKED_FINALIZER, CERTIFICATES_GROUP } from '../../api/naming.ts';
import { humanDuration } from '../../api/time.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, pathColumn, textAt, textColumn } from '../columns.ts';
import type { ResourceDefinition, UpdateStrategy } from '../definition.ts';
import { keepField } from '../metadata-rules.ts';
import {
  completeTimes,
  validateFinalConditions,
  validateRequestConditions,
} from './request-conditions.ts';
import { isIn, type SigningRequest } from './request.ts';
import { validateRequestSpec } from './request-rules.ts';
import { requestSchema } from './request-schema.ts';

const CERTIFICATE = FieldPath.of('status', 'certificate');
const CERTIFICATE_PEM = /^-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----/m;

function validateCertificate({ status }: SigningRequest, old: SigningRequest): FieldError[] {
  const { certificate = '' } = status;
  const before = old.status.certificate ?? '';
  if (certificate === before) return [];
  if (before !== '') {
    return [
      fieldError.forbidden(CERTIFICATE, 'updates may not change existing certificate content'),
    ];
  }
  if (CERTIFICATE_PEM.test(Buffer.from(certificate, 'base64').toString('latin1'))) return [];
  return [
    fieldError.invalid(CERTIFICATE, '<certificate data>', 'must contain a CERTIFICATE PEM block'),
  ];
}

/** An update through the object itself, `/status` or `/approval`: the last alone decides. */
function validateUpdate(
  request: SigningRequest,
  old: SigningRequest,
  mayDecide: boolean,
): FieldError[] {
  const { conditions } = request.status;
  return [
    ...validateRequestConditions(conditions, old.status.conditions),
    ...validateFinalConditions(conditions, old.status.conditions, mayDecide),
    ...validateCertificate(request, old),
  ];
}

const status: UpdateStrategy<SigningRequest> = {
  prepareForUpdate(object, old, { now }) {
    keepField(object, old, 'spec');
    const before = old.status.conditions;
    completeTimes(object.status.conditions, before, now);
  },
  validateUpdate: (object, old) => validateUpdate(object, old, false),
  resetFields: [['spec']],
};

const approval: UpdateStrategy<SigningRequest> = {
  prepareForUpdate(request, before, { now }) {
    keepField(request, before, 'spec');
    keepField(request.status, before.status, 'certificate');
    completeTimes(request.status.conditions, before.status.conditions, now);
    if (isIn(request, 'Revoked') && !isIn(before, 'Revoked')) guard(request);
  },
  validateUpdate: (object, old) => validateUpdate(object, old, true),
  resetFields: [['spec'], ['status', 'certificate']],
};

/** The record of a revocation stays as long as the certificate could be used. */
function guard({ metadata, status }: SigningRequest): void {
  const { finalizers = [] } = metadata;
  if ((status.certificate ?? '') === '' || finalizers.includes(REVOKED_FINALIZER)) return;
  metadata.finalizers = [...finalizers, REVOKED_FINALIZER];
}

/** `Pending`, or the conditions and whether there is a certificate: `Approved,Issued`. */
function state(object: JsonObject): string {
  const conditions = getPath(object, 'status', 'conditions');
  const types = Array.isArray(conditions)
    ? conditions.filter(isObject).map((condition) => textAt(condition, 'type'))
    : [];
  const decided = ['Denied', 'Approved'].find((type) => types.includes(type)) ?? 'Pending';
  const more = ['Failed', 'Revoked'].filter((type) => types.includes(type));
  const issued = textAt(object, 'status', 'certificate') === '' ? [] : ['Issued'];
  return [decided, ...more, ...issued].join(',');
}

function requestedDuration(object: JsonObject): string {
  const seconds = getPath(object, 'spec', 'expirationSeconds');
  return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
}

/** Source: behaviours 9.0 and 9.22. */
export const certificateSigningRequestDefinition: ResourceDefinition = builtinDefinition({
  group: CERTIFICATES_GROUP,
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  shortNames: ['csr'],
  namespaced: false,
  schema: requestSchema,
  strategy: {
    validateName: nameIsDnsSubdomain,
    createOnUpdate: false,
    unconditionalUpdate: true,
    prepareForCreate(object) {
      object['status'] = {};
    },
    validate: (object) => validateRequestSpec(object.spec),
    prepareForUpdate(object, old) {
      keepField(object, old, 'spec');
      keepField(object, old, 'status');
    },
    resetFields: [['status']],
  },
  subresources: { status, approval },
  selectableFields: new Map([
    ['spec.signerName', (object) => textAt(object, 'spec', 'signerName')],
  ]),
  columns: [
    nameColumn,
    ageColumn,
    pathColumn('SignerName', 'Who is to sign.', 'spec', 'signerName'),
    pathColumn('Requestor', 'Who created the request.', 'spec', 'username'),
    textColumn('RequestedDuration', 'How long the certificate should last.', requestedDuration),
    textColumn('Condition', 'Whether it is approved, and whether there is a certificate.', state),
  ],
});
