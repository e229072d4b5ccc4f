import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseUrl } from './webhook-url.ts';

const EMPTY = { scheme: '', host: '', user: undefined, query: '', fragment: '' };

describe('URLs of webhooks', () => {
  const parsed: Record<string, object> = {
    'https://hooks.example.com': { scheme: 'https', host: 'hooks.example.com' },
    'HTTPS://hooks.example.com:8443/a/b': { scheme: 'https', host: 'hooks.example.com:8443' },
    'https://[2001:db8::7]:443/check': { scheme: 'https', host: '[2001:db8::7]:443' },
    'https://host:/': { scheme: 'https', host: 'host:' },
    'https:///check': { scheme: 'https' },
    'https:host/check': { scheme: 'https' },
    'hooks.example.com/check': {},
    'hooks.example.com:443/check': { scheme: 'hooks.example.com' },
    '//host/path': { host: 'host' },
    '///path': {},
    '/path': {},
    'https://host:/:p': { scheme: 'https', host: 'host:' },
    'https://[2001:db8::7]': { scheme: 'https', host: '[2001:db8::7]' },
    'https://host:8': { scheme: 'https', host: 'host:8' },
    'https://1:8': { scheme: 'https', host: '1:8' },
    '': {},
    'https://user:secret@host': { scheme: 'https', host: 'host', user: 'user:secret' },
    'https://@host': { scheme: 'https', host: 'host', user: '' },
    'https://host/?a=b#c': { scheme: 'https', host: 'host', query: 'a=b', fragment: 'c' },
    'https://host/#a?b': { scheme: 'https', host: 'host', fragment: 'a?b' },
  };
  for (const [text, parts] of Object.entries(parsed)) {
    it(`reads ${JSON.stringify(text)}`, () =>
      assert.deepEqual(parseUrl(text), { ...EMPTY, ...parts }));
  }

  const refused: Record<string, RegExp> = {
    'https://hooks.example.com:port/': /invalid port ":port"/,
    'https://hooks.example.com/%zz': /invalid URL escape "%zz"/,
    'https://host/%2': /invalid URL escape "%2"/,
    'https://host%zz': /invalid URL escape "%zz"/,
    '/path/%zz': /invalid URL escape "%zz"/,
    '///a b%zz': /invalid URL escape "%zz"/,
    'https://h:8x': /invalid port ":8x"/,
    'https://[::1]8': /invalid port "8"/,
    'https://host/#%': /invalid URL escape "%"/,
    'https://ho st/': /invalid character " " in host name/,
    'https://[2001:db8::7/': /missing ']' in host/,
    'https://us er@host': /invalid userinfo/,
    'https://host/\n': /control character/,
    ':https': /missing protocol scheme/,
    '1a:b/c': /first path segment in URL cannot contain colon/,
  };
  for (const [text, message] of Object.entries(refused)) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      const url = parseUrl(text);
      assert.match('error' in url ? url.error : 'no error', message);
    });
  }

  it('agree with the platform on the host of what both can read', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }), (text) => {
        const url = parseUrl(text);
        assert.ok(!('error' in url), text);
        assert.equal(url.host.replace(/:443$/, ''), new URL(text).host);
      }),
    );
  });

  it('never throw, whatever is written', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseUrl(text)));
  });
});
