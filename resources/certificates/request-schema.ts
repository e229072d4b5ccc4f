import { bytes, int32, list, map, string, struct, time, use } from '../../schema/dsl.ts';
import type { Typed } from '../../schema/shape.ts';
import { kind } from '../../schema/object-meta.ts';
import { conditionFields, conditionList } from '../conditions.ts';

const words = (description: string): Typed<string[], 'nothing'> =>
  list(string(), { listType: 'atomic', description });

const spec = struct(
  'io.cluster.certificates.v1.CertificateSigningRequestSpec',
  {
    request: bytes({
      required: true,
      description:
        'The request itself: PEM with a block of type CERTIFICATE REQUEST, in base64. It names the subject and carries the public key; the private key stays with its owner.',
    }),
    signerName: string({
      required: true,
      description:
        'Who is to sign, as `example.com/signer-name`. The server signs for `kubernetes.io/kube-apiserver-client`: certificates by which clients sign in here.',
    }),
    expirationSeconds: int32({
      pointer: true,
      description:
        'How long the certificate should last, 600 seconds at least. The signer may issue a shorter one.',
    }),
    usages: words(
      'What the key may be used for, such as `client auth` and `digital signature`. At least one.',
    ),
    username: string({ description: 'Who created the request. Set by the server.' }),
    uid: string({ description: 'The uid of who created the request. Set by the server.' }),
    groups: words('The groups of who created the request. Set by the server.'),
    extra: map(list(string()), {
      description: 'What else is known of who created the request. Set by the server.',
    }),
  },
  {
    numbers: {
      request: 1,
      username: 2,
      uid: 3,
      groups: 4,
      usages: 5,
      extra: 6,
      signerName: 7,
      expirationSeconds: 8,
    },
  },
);

const condition = struct(
  'io.cluster.certificates.v1.CertificateSigningRequestCondition',
  conditionFields({
    lastUpdateTime: time({ description: 'When the condition was last written.' }),
  }),
  {
    numbers: {
      type: 1,
      reason: 2,
      message: 3,
      lastUpdateTime: 4,
      lastTransitionTime: 5,
      status: 6,
    },
  },
);

const status = struct(
  'io.cluster.certificates.v1.CertificateSigningRequestStatus',
  {
    conditions: conditionList(
      condition,
      'Approved, Denied, Failed and Revoked are for good: they are never taken back, and their status is True.',
    ),
    certificate: bytes({
      description: 'The certificate, once it is issued: PEM in base64. Never replaced.',
    }),
  },
  { numbers: { conditions: 1, certificate: 2 } },
);

export const requestSchema = kind(
  'io.cluster.certificates.v1.CertificateSigningRequest',
  {
    spec: use(spec, { required: true, description: 'What is asked for. Never changed.' }),
    status: use(status, { description: 'Whether it is approved, and the certificate.' }),
  },
  {
    description: 'A request for a certificate, to be approved by people and signed by a signer.',
    numbers: { spec: 2, status: 3 },
  },
);
