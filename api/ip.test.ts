import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import fc from 'fast-check';
import { IpAddress, IpPrefix } from './ip.ts';

const ip = (text: string): IpAddress => {
  const address = IpAddress.parse(text);
  assert.ok(address !== undefined, text);
  return address;
};
const cidr = (text: string): IpPrefix => {
  const prefix = IpPrefix.parse(text);
  assert.ok(prefix !== undefined, text);
  return prefix;
};

const v4 = fc.nat(0xffff_ffff).map((n) => IpAddress.of(4, BigInt(n))!);
// runs of zeros and full groups are what the canonical form is about
const v6 = fc
  .array(fc.oneof(fc.constant(0), fc.constant(0xffff), fc.nat(0xffff)), {
    minLength: 8,
    maxLength: 8,
  })
  .map((groups) =>
    IpAddress.of(
      6,
      groups.reduce((all, g) => (all << 16n) | BigInt(g), 0n),
    )!,
  );
const address = fc.oneof(v4, v6);

describe('IpAddress', () => {
  it('writes the canonical form of RFC 5952', () => {
    const cases: Record<string, string> = {
      '192.0.2.1': '192.0.2.1',
      '255.255.255.255': '255.255.255.255',
      '0.0.0.0': '0.0.0.0',
      '2001:DB8::1': '2001:db8::1',
      '2001:db8:0:0:0:0:0:1': '2001:db8::1',
      '2001:0db8::0001': '2001:db8::1',
      '2001:db8::1:0:0:0:1': '2001:db8:0:1::1',
      '2001:db8:1:1:1:1::1': '2001:db8:1:1:1:1:0:1',
      '2001:db8:0:0:1:0:0:1': '2001:db8::1:0:0:1',
      '0:0:0:0:0:0:0:0': '::',
      '::1': '::1',
      '1::': '1::',
      '1:2:3:4:5:6:7::': '1:2:3:4:5:6:7:0',
      '0:0:1:0:0:0:0:0': '0:0:1::',
      '64:ff9b::192.0.2.1': '64:ff9b::c000:201',
      '::ffff:c000:201': '::ffff:192.0.2.1',
      '::192.0.2.1': '::c000:201',
      '1:2:3:4:5:6:192.0.2.1': '1:2:3:4:5:6:c000:201',
    };
    for (const [text, expected] of Object.entries(cases)) {
      assert.equal(ip(text).canonical(), expected, text);
    }
  });

  it('refuses strings that are not addresses', () => {
    const bad = [
      '',
      '192.0.2',
      '192.0.2.1.1',
      '192.0.2.256',
      '192.0.02.1',
      '192.0.2.01',
      '00.0.0.0',
    ];
    bad.push(
      '192.0.2.1 ',
      ' 192.0.2.1',
      '192.0.2.1:80',
      '0xc0.0.2.1',
      '1.2.3.+4',
      '١.2.3.4',
      '1..2.3',
    );
    bad.push(
      'example.com',
      '[::1]',
      '::1/128',
      ':',
      ':::',
      '1:::2',
      '1::2::3',
      '::1:',
      ':1::',
      '12345::',
    );
    bad.push('1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8::', '::1:2:3:4:5:6:7:8', 'g::');
    bad.push(
      '1:2:3:4:5:6:7:1.2.3.4',
      '1.2.3.4::',
      '::1.2.3',
      '::1.2.3.04',
      '1.2.3.4:1::',
      '::%',
      '1:',
    );
    for (const text of bad) assert.equal(IpAddress.parse(text), undefined, text);
    assert.equal(IpAddress.parse(':'.repeat(1_000_000)), undefined);
  });

  it('accepts a zone only when asked', () => {
    assert.equal(IpAddress.parse('fe80::1%eth0'), undefined);
    const zoned = IpAddress.parse('FE80::1%eth0', { allowZone: true });
    assert.equal(zoned?.canonical(), 'fe80::1%eth0');
    assert.equal(zoned.equals(ip('fe80::1')), false);
    for (const text of ['fe80::1%', '192.0.2.1%eth0', `fe80::1%${'x'.repeat(100)}`]) {
      assert.equal(IpAddress.parse(text, { allowZone: true }), undefined, text);
    }
  });

  it('keeps IPv4-mapped addresses apart from IPv4', () => {
    const mapped = ip('::ffff:192.0.2.1');
    assert.equal(mapped.family, 6);
    assert.equal(mapped.isMapped(), true);
    assert.equal(mapped.equals(ip('192.0.2.1')), false);
    assert.equal(mapped.unmapped().equals(ip('192.0.2.1')), true);
    assert.equal(ip('::192.0.2.1').isMapped(), false);
  });

  it('classifies as netip does', () => {
    type Test = 'Unspecified' | 'Loopback' | 'LinkLocalUnicast' | 'LinkLocalMulticast';
    const cases: [string, ...(Test | 'Multicast' | 'GlobalUnicast' | 'Private')[]][] = [
      ['0.0.0.0', 'Unspecified'],
      ['::', 'Unspecified'],
      ['127.0.0.1', 'Loopback'],
      ['127.255.0.1', 'Loopback'],
      ['::1', 'Loopback'],
      ['::ffff:127.0.0.1', 'Loopback'],
      ['224.0.0.1', 'LinkLocalMulticast', 'Multicast'],
      ['224.0.1.1', 'Multicast'],
      ['239.1.2.3', 'Multicast'],
      ['ff02::1', 'LinkLocalMulticast', 'Multicast'],
      ['ff12::1', 'LinkLocalMulticast', 'Multicast'],
      ['ff05::1', 'Multicast'],
      ['169.254.169.254', 'LinkLocalUnicast'],
      ['fe80::1', 'LinkLocalUnicast'],
      ['febf::1', 'LinkLocalUnicast'],
      ['fec0::1', 'GlobalUnicast'],
      ['8.8.8.8', 'GlobalUnicast'],
      ['10.0.0.1', 'GlobalUnicast'],
      ['172.16.0.1', 'GlobalUnicast'],
      ['172.32.0.1', 'GlobalUnicast'],
      ['192.168.1.1', 'GlobalUnicast'],
      ['fd00::1', 'GlobalUnicast'],
      ['2001:db8::1', 'GlobalUnicast'],
      ['255.255.255.255'],
    ];
    for (const [text, ...kinds] of cases) {
      const is = ip(text);
      assert.deepEqual(
        {
          Unspecified: is.isUnspecified(),
          Loopback: is.isLoopback(),
          LinkLocalUnicast: is.isLinkLocalUnicast(),
          LinkLocalMulticast: is.isLinkLocalMulticast(),
          Multicast: is.isMulticast(),
          GlobalUnicast: is.isGlobalUnicast(),
        },
        {
          Unspecified: kinds.includes('Unspecified'),
          Loopback: kinds.includes('Loopback'),
          LinkLocalUnicast: kinds.includes('LinkLocalUnicast'),
          LinkLocalMulticast: kinds.includes('LinkLocalMulticast'),
          Multicast: kinds.includes('Multicast'),
          GlobalUnicast: kinds.includes('GlobalUnicast'),
        },
        text,
      );
    }
  });

  it('reads back what it writes (property)', () => {
    fc.assert(
      fc.property(address, (a) => {
        assert.ok(ip(a.canonical()).equals(a));
        assert.equal(ip(ip(a.canonical()).canonical()).canonical(), a.canonical());
      }),
    );
  });

  it('accepts exactly the strings that the platform accepts (property)', () => {
    const near = fc.oneof(
      fc.string({
        unit: fc.constantFrom(':', '::', '0', '1', 'f', '.', '1.2.3.4', '00'),
        maxLength: 12,
      }),
      fc.tuple(address, fc.nat(40), fc.constantFrom('', ':', '0', '.', 'f')).map(([a, i, c]) => {
        const text = a.canonical();
        return text.slice(0, i) + c + text.slice(i + 1);
      }),
    );
    fc.assert(
      fc.property(near, (text) => {
        assert.equal(IpAddress.parse(text)?.family ?? 0, isIP(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('compresses as the URL standard does (property)', () => {
    fc.assert(
      fc.property(v6, (a) => {
        if (a.isMapped()) return; // the URL standard writes these in groups
        assert.equal(`[${a.canonical()}]`, new URL(`http://[${a.canonical()}]`).hostname);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('IpPrefix', () => {
  it('reads and writes blocks', () => {
    assert.equal(cidr('10.1.2.3/8').canonical(), '10.1.2.3/8');
    assert.equal(cidr('10.1.2.3/8').masked().canonical(), '10.0.0.0/8');
    assert.equal(cidr('2001:DB8::/32').canonical(), '2001:db8::/32');
    assert.equal(cidr('0.0.0.0/0').length, 0);
    assert.equal(cidr('::1/128').isMasked(), true);
    assert.equal(cidr('10.1.2.3/8').isMasked(), false);
    assert.equal(cidr('192.168.1.7/24').first().canonical(), '192.168.1.0');
    assert.equal(cidr('192.168.1.7/24').last().canonical(), '192.168.1.255');
    assert.equal(cidr('::/0').last().canonical(), 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff');
  });

  it('refuses strings that are not CIDR blocks', () => {
    const bad = [
      '10.0.0.0',
      '10.0.0.0/',
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/08',
      '10.0.0.0/+8',
      '/8',
    ];
    bad.push(
      '10.0.0.0/-1',
      '10.0.0.0/8/8',
      '10.0.0/8',
      'fe80::1%eth0/64',
      '10.0.0.0/8 ',
      '10.0.0.0/1e1',
    );
    for (const text of bad) assert.equal(IpPrefix.parse(text), undefined, text);
  });

  it('tells which addresses a block contains', () => {
    assert.equal(cidr('10.0.0.0/8').contains(ip('10.255.0.1')), true);
    assert.equal(cidr('10.0.0.0/8').contains(ip('11.0.0.1')), false);
    assert.equal(cidr('0.0.0.0/0').contains(ip('::1')), false);
    assert.equal(cidr('::/0').contains(ip('10.0.0.1')), false);
    assert.equal(cidr('10.0.0.0/8').contains(ip('::ffff:10.0.0.1')), false);
    assert.equal(cidr('10.0.0.0/8').containsPrefix(cidr('10.1.0.0/16')), true);
    assert.equal(cidr('10.1.0.0/16').containsPrefix(cidr('10.0.0.0/8')), false);
    assert.equal(cidr('10.1.0.0/16').overlaps(cidr('10.0.0.0/8')), true);
    assert.equal(cidr('10.1.0.0/16').overlaps(cidr('10.2.0.0/16')), false);
  });

  it('contains what lies between its first and its last address (property)', () => {
    fc.assert(
      fc.property(address, address, fc.nat(128), (a, b, bits) => {
        const prefix = IpPrefix.of(a, a.family === 4 ? bits % 33 : bits)!;
        assert.ok(prefix.contains(a) && prefix.contains(prefix.first()));
        assert.ok(prefix.contains(prefix.last()));
        assert.ok(cidr(prefix.canonical()).equals(prefix));
        assert.ok(prefix.masked().isMasked() && prefix.containsPrefix(prefix.masked()));
        const between =
          b.family === a.family && b.compare(prefix.first()) >= 0 && b.compare(prefix.last()) <= 0;
        assert.equal(prefix.contains(b), between);
      }),
    );
  });
});
