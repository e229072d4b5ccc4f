import assert from 'node:assert/strict';
import { guardedLookup, isRefusedAddress } from './refused-addresses.ts';

describe('refused addresses', () => {
  it('are cloud metadata addresses in every notation', () => {
    for (const address of [
      ...['169.254.169.254', '169.254.170.23', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
      ...['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
      ...['100.100.100.200', '168.63.129.16', '192.0.0.192'],
      // mapped, compatible, translated
      ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::a9fe:a9fe', '::ffff:0:a9fe:a9fe'],
      // NAT64: by the well-known prefix, and by ones of a network's own
      ...['64:ff9b::a9fe:a9fe', '64:ff9b::169.254.169.254', '64:ff9b::6464:64c8'],
      ...['64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:0:a9:fea9:fe00:0', '64:ff9b:1::a9fe:a9fe'],
      '64:ff9b:1:a9:fe:a9fe::',
      // 6to4, Teredo (server and client), ISATAP
      ...['2002:a9fe:a9fe::1', '2001:0:a9fe:a9fe::1', '2001:0:1:1:0:0:5601:5601'],
      ...['fe00::5efe:a9fe:a9fe', '2001:db8::200:5efe:a83f:8110'],
    ]) {
      assert.ok(isRefusedAddress(address), address);
    }
  });

  it('exclude all other addresses', () => {
    for (const address of [
      ...['127.0.0.1', '::1', '10.0.0.1', '169.253.255.255', '169.255.0.0', '192.0.0.193'],
      ...['100.100.100.201', 'fd00:ec3::254', 'fec0::1', '64:ff9b::a00:1', '2002:a00:1::1'],
      ...['::ffff:10.0.0.1', '2001:db8::a9fe:a9fe', 'webhook.example.com', ''],
    ]) {
      assert.ok(!isRefusedAddress(address), address);
    }
  });

  it('are refused after name resolution: the checked address is the one that is connected to', async () => {
    const looked = await new Promise<string>((resolve, reject) =>
      guardedLookup('localhost', {}, (error, address) =>
        error === null ? resolve(address as string) : reject(error),
      ),
    );
    assert.ok(['127.0.0.1', '::1'].includes(looked));
    const refused = await new Promise<Error | null>((resolve) =>
      guardedLookup('169.254.169.254', { all: true }, (error) => resolve(error)),
    );
    assert.match(String(refused), /are refused/);
  });
});
