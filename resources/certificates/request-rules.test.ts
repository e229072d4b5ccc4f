import assert from 'node:assert/strict';
import { fieldErrorText } from '../../api/field-error.ts';
import { validateRequestConditions } from './request-conditions.ts';
import { validateRequestSpec } from './request-rules.ts';
import type { RequestSpec } from './request.ts';

const pem = (type: string): string =>
  Buffer.from(`-----BEGIN ${type}-----\naGk=\n-----END ${type}-----\n`).toString('base64');
const VALID: RequestSpec = {
  request: pem('CERTIFICATE REQUEST'),
  signerName: 'example.com/signer',
  usages: ['client auth'],
};
const problems = (change: RequestSpec): string[] =>
  validateRequestSpec({ ...VALID, ...change }).map(fieldErrorText);

describe('the spec of a certificate signing request', () => {
  it('is valid with a request, a signer and a usage', () => {
    assert.deepEqual(problems({ expirationSeconds: 600 }), []);
  });

  const REFUSED: readonly [string, RequestSpec, RegExp][] = [
    ['no request', { request: '' }, /^spec\.request: Required/],
    [
      'a certificate in place of the request',
      { request: pem('CERTIFICATE') },
      /must be CERTIFICATE REQUEST/,
    ],
    ['a request above 16 KiB', { request: 'AAAA'.repeat(5_500) }, /^spec\.request: Too long/],
    ['no usage', { usages: [] }, /^spec\.usages: Required/],
    ['an unknown usage', { usages: ['sing'] }, /^spec\.usages\[0\]: Unsupported/],
    ['a usage twice', { usages: ['any', 'any'] }, /^spec\.usages\[1\]: Duplicate/],
    ['no signer', { signerName: '' }, /^spec\.signerName: Required/],
    ['a signer without a domain', { signerName: 'signer' }, /fully qualified domain and path/],
    ['a signer whose domain has no dot', { signerName: 'a/b' }, /fully qualified domain and path/],
    ['a signer with capitals', { signerName: 'example.com/A' }, /^spec\.signerName: Invalid/],
    ['the legacy signer', { signerName: 'kubernetes.io/legacy-unknown' }, /legacy signerName/],
    ['less than ten minutes', { expirationSeconds: 599 }, /less than 600 seconds/],
  ];
  for (const [what, change, problem] of REFUSED) {
    it(`refuses ${what}`, () => {
      const [first = '', ...more] = problems(change);
      assert.match(first, problem);
      assert.deepEqual(more, []);
    });
  }
});

describe('the conditions of a certificate signing request', () => {
  it('are True where they decide something, and stand once', () => {
    const conditions = [
      { type: 'Approved', status: 'False' },
      { type: 'Approved', status: 'True' },
    ];
    assert.deepEqual(
      validateRequestConditions(conditions, undefined).map(({ path, type }) => [path, type]),
      [
        ['status.conditions[0].status', 'FieldValueNotSupported'],
        ['status.conditions[1].type', 'FieldValueDuplicate'],
      ],
    );
  });
});
