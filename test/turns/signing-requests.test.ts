import { generateKeyPairSync, sign } from 'node:crypto';
import { Plinth, type Reply } from '../support/plinth.ts';
import { Turns } from '../support/turns.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const SEQUENCE = 0x30;
const SET = 0x31;
const ATTRIBUTES = 0xa0;
const BIT_STRING = 3;
const OBJECT_ID = 6;
const UTF8 = 12;

/** One value in DER. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const id = (hex: string): Buffer => der(OBJECT_ID, Buffer.from(hex, 'hex'));

/** A request whose key has signed it, with so many attributes, in base64. */
function requestWith(attributes: number): string {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, id('550403'), der(UTF8, Buffer.from('ann')))));
  const attribute = der(SEQUENCE, id('2a864886f70d01090e'), der(SET, der(SEQUENCE)));
  const info = der(
    SEQUENCE,
    Buffer.from('020100', 'hex'),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(ATTRIBUTES, ...Array.from({ length: attributes }, () => attribute)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', info, privateKey)]);
  const signed = der(
    SEQUENCE,
    info,
    der(SEQUENCE, id('2a8648ce3d040302')),
    der(BIT_STRING, signature),
  );
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  const type = 'CERTIFICATE REQUEST';
  const pem = [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n');
  return Buffer.from(pem).toString('base64');
}

describe('turns of the event loop, for certificate signing requests', () => {
  const turns = new Turns();
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ nodeArgs: turns.nodeArgs });
  });
  after(() => plinth.dispose());

  const post = (name: string, attributes: number): Promise<Reply> =>
    plinth.send('POST', REQUESTS, {
      metadata: { name },
      spec: {
        request: requestWith(attributes),
        signerName: 'example.com/signer',
        usages: ['client auth'],
      },
    });

  it('are short for one as large as may be, full of parts', async () => {
    await turns.areShortFor(201, (attempt) => post(`large-${attempt}`, 640));
  });

  it('are short for one that is larger, which is not read', async () => {
    await turns.areShortFor(422, () => post('larger', 2_400));
  });
});
