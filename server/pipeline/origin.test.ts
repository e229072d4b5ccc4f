import assert from 'node:assert/strict';
import type { PeerCertificate } from 'node:tls';
import { ApiError } from '../../api/api-error.ts';
import { writtenPattern, type Regex } from '../../cel/value/pattern.ts';
import { requestOf } from '../../discovery/testing/definitions.ts';
import { framingProblem } from '../../http/framing.ts';
import { EMPTY_BODY, type ApiRequest } from '../../http/message.ts';
import { Exchange, type Next } from '../../http/exchange.ts';
import { originStage } from './origin.ts';
import { requestInfoOf } from '../../http/request-info.ts';

const HOST = 'plinth.example.com:6443';
const FOREIGN = 'https://evil.example.com';
const CERTIFICATE = { subject: { CN: 'admin' } } as unknown as PeerCertificate;
const ALLOWED = writtenPattern('^https://console\\.example\\.com$').compile() as Regex;
const WEBSOCKET = { upgrade: 'websocket', connection: 'Upgrade' };

function sent(method: string, headers: Record<string, string>, certificate = true): ApiRequest {
  const request = requestOf('/api/v1/namespaces', { method });
  return {
    ...request,
    headers: { host: HOST, ...headers },
    isUpgradable: headers.upgrade !== undefined,
    peer: { ...request.peer, certificate: certificate ? CERTIFICATE : undefined },
  };
}

async function statusOf(request: ApiRequest): Promise<number> {
  const info = requestInfoOf(request.method, request.rawPath, request.query);
  assert.ok(info);
  const stage = originStage([ALLOWED]);
  const next: Next = () => Promise.resolve({ status: 200, headers: {}, body: EMPTY_BODY });
  try {
    return (await stage.handle(new Exchange(request, info, 0), next)).status;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.code;
  }
}

describe('pages of foreign origins', () => {
  const cases: [what: string, status: number, request: ApiRequest][] = [
    ['write nothing by a client certificate', 403, sent('POST', { origin: FOREIGN })],
    ['delete nothing', 403, sent('DELETE', { origin: FOREIGN })],
    ['write nothing from a file or sandbox', 403, sent('POST', { origin: 'null' })],
    ['open no WebSocket', 403, sent('GET', { origin: FOREIGN, ...WEBSOCKET })],
    ['may read: their browser hides the answer', 200, sent('GET', { origin: FOREIGN })],
    [
      'may write when they are allowed',
      200,
      sent('POST', { origin: 'https://console.example.com' }),
    ],
    ['of this server may write', 200, sent('POST', { origin: `https://${HOST}` })],
    ['may write by a token', 200, sent('POST', { origin: FOREIGN, authorization: 'Bearer x' })],
    ['without a certificate are judged later', 200, sent('POST', { origin: FOREIGN }, false)],
    ['do not concern clients without an origin', 200, sent('POST', {})],
  ];
  for (const [what, status, request] of cases) {
    it(what, async () => assert.equal(await statusOf(request), status));
  }
});

describe('the framing of a request', () => {
  const problem = (headers: Record<string, string>, rawHeaders: string[]): string | undefined =>
    framingProblem({ ...requestOf('/'), headers, rawHeaders })?.message;

  it('has one Host header', () => {
    assert.equal(problem({}, ['Host', 'a', 'Accept', 'Host']), undefined);
    assert.match(problem({}, ['Host', 'a', 'host', 'a']) ?? '', /several Host headers/);
  });

  it('has no transfer coding but chunked', () => {
    assert.equal(problem({ 'transfer-encoding': 'Chunked' }, []), undefined);
    assert.match(problem({ 'transfer-encoding': 'gzip, chunked' }, []) ?? '', /not supported/);
  });
});
