import assert from 'node:assert/strict';
import { fieldErrorText } from './field-error.ts';
import { FieldPath } from './field-path.ts';
import { validateCidr, validateIp, validateLooseCidr, validateLooseIp } from './ip-validation.ts';

const path = FieldPath.of('spec', 'address');
const detail = (errors: { detail: string }[]): string | undefined => errors[0]?.detail;

describe('validation of addresses', () => {
  it('requires the canonical form of an address', () => {
    assert.deepEqual(validateIp(path, '192.0.2.1'), []);
    assert.deepEqual(validateIp(path, '2001:db8::1'), []);
    assert.equal(
      detail(validateIp(path, '2001:DB8::1')),
      'must be in canonical form ("2001:db8::1")',
    );
    assert.equal(detail(validateIp(path, '192.0.02.1')), 'must not have leading 0s');
    assert.equal(
      detail(validateIp(path, '::ffff:192.0.2.1')),
      'must not be an IPv4-mapped IPv6 address',
    );
    assert.deepEqual(validateIp(path, '192.0.2').map(fieldErrorText), [
      'spec.address: Invalid value: "192.0.2": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
    assert.match(detail(validateIp(path, 'fe80::1%eth0')) ?? '', /valid IP address/);
  });

  it('requires the canonical form of a CIDR block', () => {
    assert.deepEqual(validateCidr(path, '198.18.1.0/24'), []);
    assert.deepEqual(validateCidr(path, '2001:db8:1::/112'), []);
    assert.equal(
      detail(validateCidr(path, '2001:DB8:1::/112')),
      'must be in canonical form ("2001:db8:1::/112")',
    );
    assert.equal(
      detail(validateCidr(path, '198.18.1.0/024')),
      'must not have leading 0s in IP or prefix length',
    );
    assert.equal(
      detail(validateCidr(path, '198.18.1.7/24')),
      'must not have bits set beyond the prefix length',
    );
    assert.equal(
      detail(validateCidr(path, '::ffff:1.2.3.0/120')),
      'must not have an IPv4-mapped IPv6 address',
    );
    assert.match(detail(validateCidr(path, '198.18.1.0')) ?? '', /valid CIDR value/);
    assert.match(detail(validateCidr(path, '198.18.1.0/33')) ?? '', /valid CIDR value/);
  });

  it('accepts any form in lenient fields, and more when not strict', () => {
    assert.deepEqual(validateLooseIp(path, 'FE80:0:0:0:0:0:0:0abc'), []);
    assert.equal(validateLooseIp(path, '010.002.003.004').length, 1);
    assert.deepEqual(validateLooseIp(path, '010.002.003.004', false), []);
    assert.deepEqual(validateLooseIp(path, '::ffff:1.2.3.4', false), []);
    assert.equal(validateLooseIp(path, '010.002.003.0045555', false).length, 1);
    assert.deepEqual(validateLooseCidr(path, 'FE80:0:0:0:0:0:0:0/64'), []);
    assert.deepEqual(validateLooseCidr(path, '010.0.0.1/08', false), []);
    assert.equal(validateLooseCidr(path, '10.0.0.1/8').length, 1);
    assert.equal(validateLooseCidr(path, '10.0.0.1', false).length, 1);
  });
});
