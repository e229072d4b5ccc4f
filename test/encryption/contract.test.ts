import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aesGcmCipher } from '../../storage/encryption/ciphers.ts';
import { encryptedStore } from '../../storage/encryption/encrypted-store.ts';
import { Encryption } from '../../storage/encryption/value-cipher.ts';
import { openStore } from '../../storage/open.ts';
import { describeStoreContract } from '../contract/store.ts';

describeStoreContract({
  name: 'embedded, encrypted',
  async open() {
    const dir = await mkdtemp(join(tmpdir(), 'plinth-store-'));
    const rule = { matches: () => true, ciphers: [aesGcmCipher('a', randomBytes(32))] as const };
    const plain = await openStore({ kind: 'embedded', dir });
    const store = encryptedStore(plain, new Encryption([rule]));
    return {
      store,
      async close() {
        await store.close();
        await rm(dir, { recursive: true });
      },
    };
  },
});
