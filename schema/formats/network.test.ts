import assert from 'node:assert/strict';
import { testFormats, type FormatCases } from '../testing/format-cases.ts';
import { cpuMs, scaled } from '../../test/support/cpu.ts';
import { stringFormat } from './registry.ts';

const CASES: FormatCases = {
  cidr: [
    [
      '10.0.0.0/8',
      '10.1.2.3/8',
      '0.0.0.0/0',
      '2001:db8::/32',
      '::1/128',
      '010.0.0.0/08',
      '2001:00db8::00000/032',
      '::ffff:010.0.0.1/128',
    ],
    [
      '',
      '2001:10000::/32',
      '10.0.0.0',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '2001:db8::/129',
      '10.0.0/8',
      '10.0.0.0/8 ',
      'x/8',
      '::/',
    ],
  ],
  email: [
    [
      'a@b',
      'user+tag@example.co.uk',
      'Name <a@b>',
      '"q q"@b',
      '<a@b>',
      'a@[127.0.0.1]',
      'a@[::1]',
      'ü@exämple.com',
      'a@b (comment)',
      'Group: a@b;',
      '"N, N" <a@b>',
    ],
    [
      '',
      'a',
      'a@',
      '@b',
      'a@@b',
      'a@b..c',
      '.a@b',
      'a.@b',
      'a b@c',
      'a@b,',
      '<a@b',
      'a@[nowhere]',
      '""@b',
      'a@b (open',
      'Group: a@b, c@d;',
      'Group:;',
      '"open@b',
    ],
  ],
  hostname: [
    [
      'localhost',
      'example.com',
      'a-b',
      'my-host.example.com',
      '123.example.com',
      'EXAMPLE.com',
      'web-1',
      'my-host',
      'a-b.c',
      'db.corp1',
      'x',
    ],
    [
      '',
      '-a',
      'a-',
      'a.b-.c',
      'ä.example.com',
      'a_b.com',
      'example.com.',
      '.com',
      'a..b',
      '10.0.0.1',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(130)}com`,
    ],
  ],
  ipv4: [
    ['10.0.0.1', '0.0.0.0', '255.255.255.255', '010.000.0.01', '::ffff:1.2.3.4'],
    ['', '10.0.0', '256.0.0.1', '1.2.3.4.5', '1.2.3.4/8', 'a.b.c.d', '::1', '1.2.3.', '1..2.3'],
  ],
  ipv6: [
    ['::', '::1', '2001:db8::1', 'fe80:0:0:0:0:0:0:1', '::ffff:1.2.3.4', 'FE80::1'],
    ['', '1.2.3.4', ':::', 'fe80::1%eth0', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', 'g::', '[::1]'],
  ],
  mac: [
    [
      '01:23:45:67:89:ab',
      '01-23-45-67-89-AB',
      '0123.4567.89ab',
      '01:23:45:67:89:ab:cd:ef',
      '0123.4567.89ab.cdef',
      '00005e005301',
      Array(20).fill('00').join(':'),
    ],
    [
      '',
      '01:23:45:67:89',
      '01:23:45:67:89:ag',
      '0123456789a',
      '01-23:45-67-89-ab',
      '01:23:45:67:89:ab:',
      Array(7).fill('00').join(':'),
    ],
  ],
  uri: [
    [
      'https://example.com',
      'http://u:p@example.com:8080/a?b#c',
      'urn:isbn:1',
      'mailto:a@b',
      '/path',
      '/a b',
      '*',
      'http:',
      'http://',
      'https://[::1]:443/',
      'https://[fe80::1%25eth0]/',
      'https://exämple.com/ü',
      '/%41',
      'http://a%25b/',
    ],
    [
      '',
      'example.com',
      'a/b',
      '#f',
      '://x',
      'https://x/%zz',
      'https://exa mple.com',
      'http://x:port',
      'http://[::1',
      'http://[1.2.3.4]/',
      'http://a@b@c/%',
      'http://u ser@x',
      '/a\tb',
      'http://x#frag',
      'http://a:1:2/',
      '1http://x',
      'http://a%41b/',
    ],
  ],
};

describe('formats of names and addresses', () => {
  testFormats(CASES);

  it('take linear time on hostile texts', () => {
    const texts = [
      '1'.repeat(1e6),
      '((('.repeat(3e5),
      '<'.repeat(1e6),
      'a@'.repeat(5e5),
      `${'a.'.repeat(5e5)}!`,
      '%'.repeat(1e6),
      ':'.repeat(1e6),
      ' '.repeat(1e6),
      `${'1h'.repeat(4e5)}x`,
    ];
    const start = cpuMs();
    for (const format of Object.keys(CASES)) for (const text of texts) stringFormat(format)?.(text);
    assert.ok(cpuMs() - start < scaled(5000));
  });
});
