import assert from 'node:assert/strict';
import { ApiError } from '../api/api-error.ts';
import { parseAccept } from './accept-header.ts';
import {
  askedConversion,
  checkAcceptable,
  includeObjectOf,
  negotiateObjects,
  negotiateStatus,
  negotiateStream,
  negotiateValue,
  type Representation,
} from './negotiate.ts';
import { gadgets, leases, testRequest } from './testing.ts';

const RESOURCE = leases();

function refusal(negotiate: () => unknown): ApiError {
  try {
    negotiate();
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
  throw new assert.AssertionError({ message: 'was accepted' });
}

function objects(accept: string | undefined): Representation {
  return negotiateObjects(
    testRequest({ headers: accept === undefined ? {} : { accept } }),
    RESOURCE,
  );
}

function shown({ format, conversion }: Representation): string {
  return conversion === undefined
    ? format
    : `${format} ${conversion.kind} ${conversion.apiVersion}`;
}

describe('Accept header', () => {
  it('is read as clauses, most wanted first', () => {
    const names = (header: string): string[] =>
      parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`);
    assert.deepEqual(names('a/b, c/d'), ['a/b', 'c/d']);
    assert.deepEqual(names('a/b;q=0.1, c/d;q=0.5, e/f'), ['e/f', 'c/d', 'a/b']);
    assert.deepEqual(names('*/*, a/*, a/b'), ['a/b', 'a/*', '*/*']);
    assert.deepEqual(names('*'), ['*/*']);
    assert.deepEqual(names('json, a/b/c, ,'), []);
    assert.deepEqual(names('a/b;q=x, c/d;q=0.001'), ['c/d', 'a/b']);
    assert.equal(parseAccept(Array(10_000).fill('a/b').join(',')).length, 64);
    const parameters = Array.from({ length: 10_000 }, (_, i) => `p${i}=v`);
    assert.equal(parseAccept(`a/b;${parameters.join(';')}`)[0]?.parameters.size, 64);
  });

  it('keeps parameters, whatever their order and blanks', () => {
    const [clause] = parseAccept('application/json; v=v1 ;g=meta.k8s.io;as=Table;x;y=1=2;q=0.3');
    assert.deepEqual(Object.fromEntries(clause?.parameters ?? []), {
      v: 'v1',
      g: 'meta.k8s.io',
      as: 'Table',
    });
    assert.equal(clause?.weight, 0.3);
  });
});

describe('negotiation of objects', () => {
  it('finds the first form that can be served', () => {
    const table = 'application/json;as=Table;g=meta.k8s.io;v=';
    const cases: [string | undefined, string][] = [
      [undefined, 'json'],
      ['', 'json'],
      ['*/*', 'json'],
      ['application/*', 'json'],
      ['application/json;charset=utf-8', 'json'],
      ['application/json;q=0', 'json'],
      ['application/json;foo=bar', 'json'],
      ['application/json;stream=watch', 'json'],
      ['text/html, */*;q=0.1', 'json'],
      ['application/yaml', 'yaml'],
      ['application/yaml;q=0.1,application/json', 'json'],
      ['application/json;q=0.1,application/yaml', 'yaml'],
      ['application/vnd.kubernetes.protobuf,application/json', 'json'],
      ['application/vnd.kubernetes.protobuf', 'protobuf'],
      [`text/html,application/vnd.kubernetes.protobuf;stream=watch`, 'protobuf'],
      [
        'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
        'protobuf PartialObjectMetadata meta.k8s.io/v1',
      ],
      [`${table}v1,${table}v1beta1,application/json`, 'json Table meta.k8s.io/v1'],
      [`${table}v9,${table}v1beta1,application/json`, 'json Table meta.k8s.io/v1beta1'],
      [`${table}v9,application/json`, 'json'],
      ['*/*;as=Table;v=v1;g=meta.cluster.io', 'json Table meta.cluster.io/v1'],
      [
        'application/yaml;as=PartialObjectMetadata;v=v1;g=meta.cluster.io',
        'yaml PartialObjectMetadata meta.cluster.io/v1',
      ],
    ];
    for (const [accept, expected] of cases) assert.equal(shown(objects(accept)), expected, accept);
  });

  it('refuses unsupported types with the list of supported ones', () => {
    const refused = [
      'text/html',
      'text/yaml',
      'application/x-yaml',
      'Application/JSON',
      'json',
      'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io',
      'application/json;as=Unknown;v=v1;g=meta.cluster.io',
      'application/json;as=table;v=v1;g=meta.cluster.io',
      'application/json;as=Table;v=v2;g=meta.cluster.io',
      'application/json;as=Table;v=v1;g=example.com',
      'application/json;as=Table;g=meta.cluster.io',
      'application/json;as=Table;v=v1',
      'application/json;as=;v=v1;g=meta.cluster.io',
      'application/json;v=v1',
      'application/json;stream=other',
    ];
    for (const accept of refused) {
      const { code, reason, message } = refusal(() => objects(accept));
      assert.equal(code, 406, accept);
      assert.equal(reason, 'NotAcceptable');
      assert.match(message, /^only the following media types are accepted: application\/json/);
    }
  });

  it('indents for people, unless the query says otherwise', () => {
    const pretty = (target: string, agent: string, accept = '*/*'): boolean =>
      negotiateObjects(testRequest({ target, headers: { 'user-agent': agent, accept } }), RESOURCE)
        .pretty;
    assert.equal(pretty('/x', 'curl/8.0'), true);
    assert.equal(pretty('/x', 'Wget/1'), true);
    assert.equal(pretty('/x', 'Mozilla/5.0 (X11)'), true);
    assert.equal(pretty('/x', 'kubectl/v1.32'), false);
    assert.equal(pretty('/x?pretty=true', 'kubectl/v1.32'), true);
    assert.equal(pretty('/x?pretty=1', 'kubectl/v1.32'), true);
    assert.equal(pretty('/x?pretty=no', 'curl/8.0'), false);
    assert.equal(pretty('/x?pretty=', 'curl/8.0'), true);
    assert.equal(pretty('/x', 'x', 'application/json;pretty=1'), true);
  });

  it('parses includeObject for tables', () => {
    const include = (query: string): string =>
      includeObjectOf(testRequest({ target: `/x${query}` }));
    assert.equal(include(''), 'Metadata');
    assert.equal(include('?includeObject='), 'Metadata');
    assert.equal(include('?includeObject=None'), 'None');
    assert.equal(include('?includeObject=Object'), 'Object');
    assert.equal(refusal(() => include('?includeObject=none')).code, 400);
  });
});

describe('checkAcceptable', () => {
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const check = (accept: string, target = '/x', method = 'POST', resource = RESOURCE): void =>
    checkAcceptable(testRequest({ method, target, headers: { accept } }), resource);

  it('refuses an unsupported response type before the request has an effect', () => {
    check('application/json');
    check('application/json', '/x?includeObject=what');
    assert.equal(refusal(() => check('text/html')).code, 406);
    check(table);
    assert.equal(refusal(() => check(table, '/x?includeObject=what')).code, 400);
    check(table, '/x?includeObject=what', 'GET');
  });

  it('returns the form of the objects', () => {
    const asked = (accept: string): unknown =>
      askedConversion(testRequest({ headers: { accept } }), RESOURCE);
    assert.equal(asked('application/json'), undefined);
    assert.equal(asked(`${table},application/json`), 'Table');
  });

  it('has empty details where a built-in kind knows no type of the header', () => {
    const details = (accept: string, resource = RESOURCE): unknown =>
      refusal(() => check(accept, '/x', 'GET', resource)).status.details;
    assert.deepEqual(details('text/html'), {});
    assert.equal(details('application/json;v=v9'), undefined);
    const protobuf = 'application/vnd.kubernetes.protobuf';
    assert.equal(details(`${protobuf};as=Table;v=v1;g=meta.k8s.io`), undefined);
    assert.equal(details(protobuf, gadgets()), undefined, 'a custom resource has no message');
    assert.equal(details('text/html', gadgets()), undefined);
  });
});

describe('negotiation of other answers', () => {
  it('has no conversions for documents', () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    assert.equal(refusal(() => negotiateValue(testRequest({ headers: { accept } }))).code, 406);
    const both = negotiateValue(testRequest({ headers: { accept: `${accept},application/yaml` } }));
    assert.equal(shown(both), 'yaml');
  });

  it('streams JSON, never indented, and protobuf to who takes nothing else', () => {
    const stream = (accept: string, headers = {}): Representation =>
      negotiateStream(
        {
          ...testRequest({ headers: { accept, 'user-agent': 'curl/8', ...headers } }),
          isUpgradable: true,
        },
        RESOURCE,
      );
    const protobuf = 'application/vnd.kubernetes.protobuf;stream=watch';
    assert.equal(shown(stream(protobuf)), 'protobuf');
    const socket = { connection: 'Upgrade', upgrade: 'websocket' };
    assert.equal(refusal(() => stream(protobuf, socket)).code, 406);
    assert.deepEqual(stream('*/*'), { format: 'json', pretty: false, conversion: undefined });
    assert.match(
      refusal(() => stream('application/yaml, application/json')).message,
      /application\/json;stream=watch, application\/vnd.kubernetes.protobuf;stream=watch$/,
    );
  });

  it('always finds a form for a Status', () => {
    const status = (accept: string, code: number): Representation =>
      negotiateStatus(testRequest({ headers: { accept } }), code);
    assert.equal(shown(status('application/yaml', 404)), 'yaml');
    assert.equal(shown(status('image/png', 404)), 'json');
    assert.equal(shown(status('application/vnd.kubernetes.protobuf', 404)), 'protobuf');
    assert.equal(shown(status('application/vnd.kubernetes.protobuf', 406)), 'json');
    assert.equal(shown(status('application/json;as=Table;v=v1;g=meta.k8s.io', 200)), 'json');
    assert.equal(shown(status('application/yaml;as=Table;v=v1;g=meta.k8s.io', 404)), 'json');
  });
});
