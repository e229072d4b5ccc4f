import assert from 'node:assert/strict';
import protobuf from 'protobufjs';
import { customDefinition } from './testing/definitions.ts';
import { bodyOf, failure, get, served } from './testing/served.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const AGGREGATED = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

// As generated.proto of Kubernetes 1.36 has them.
const { root } = protobuf.parse(`
  syntax = "proto2";
  message TypeMeta { optional string apiVersion = 1; optional string kind = 2; }
  message Unknown { optional TypeMeta typeMeta = 1; optional bytes raw = 2; }
  message Address { optional string clientCIDR = 1; optional string serverAddress = 2; }
  message APIVersions { repeated string versions = 1; repeated Address serverAddressByClientCIDRs = 2; }
  message Version { optional string groupVersion = 1; optional string version = 2; }
  message APIGroup { optional string name = 1; repeated Version versions = 2; optional Version preferredVersion = 3; }
  message APIGroupList { repeated APIGroup groups = 1; }
  message Verbs { repeated string items = 1; }
  message APIResource {
    optional string name = 1; optional bool namespaced = 2; optional string kind = 3; optional Verbs verbs = 4;
    repeated string shortNames = 5; optional string singularName = 6; repeated string categories = 7;
    optional string group = 8; optional string version = 9; optional string storageVersionHash = 10;
  }
  message APIResourceList { optional string groupVersion = 1; repeated APIResource resources = 2; }
  message GVK { optional string group = 1; optional string version = 2; optional string kind = 3; }
  message Sub {
    optional string subresource = 1; optional GVK responseKind = 2; repeated GVK acceptedTypes = 3; repeated string verbs = 4;
  }
  message Resource {
    optional string resource = 1; optional GVK responseKind = 2; optional string scope = 3;
    optional string singularResource = 4; repeated string verbs = 5; repeated string shortNames = 6;
    repeated string categories = 7; repeated Sub subresources = 8;
  }
  message VersionDiscovery { optional string version = 1; repeated Resource resources = 2; optional string freshness = 3; }
  message Meta { optional string name = 1; }
  message GroupDiscovery { optional Meta metadata = 1; repeated VersionDiscovery versions = 2; }
  message APIGroupDiscoveryList { optional Meta metadata = 1; repeated GroupDiscovery items = 2; }
`);

/** What is false or empty in JSON is not there in protobuf, and the verbs are a message of their own. */
function leaner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(leaner);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== false && item !== '' && !isEmpty(item))
    .map(([key, item]) => [key, leaner(item)]);
  return Object.fromEntries(entries);
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function decoded(bytes: Buffer): unknown {
  assert.equal(bytes.subarray(0, 4).toString(), 'k8s\0');
  const unknown = root.lookupType('Unknown');
  const read = unknown.toObject(unknown.decode(bytes.subarray(4)));
  const type = root.lookupType(read.typeMeta.kind);
  const body = type.toObject(type.decode(read.raw));
  for (const resource of body.resources ?? []) resource.verbs = resource.verbs.items;
  return leaner({ ...read.typeMeta, ...body });
}

describe('discovery in protobuf', () => {
  const widgets = customDefinition({
    ...{ group: 'example.com', kind: 'Widget', versions: ['v1', 'v2'], shortNames: ['wd'] },
    categories: ['all'],
    subresources: { status: {} },
  });
  const { discovery } = served([widgets]);

  for (const path of ['/api', '/apis', '/api/v1', '/apis/example.com', '/apis/example.com/v1']) {
    it(`${path} says what it says in JSON`, () => {
      const { headers, body } = get(discovery, path, { headers: { accept: PROTOBUF } });
      assert.equal(headers['content-type'], PROTOBUF);
      assert.deepEqual(decoded(body as Buffer), leaner(bodyOf(discovery, path)));
    });
  }

  for (const path of ['/api', '/apis']) {
    it(`${path} for clients that want everything at once`, () => {
      const accept = `${PROTOBUF};${AGGREGATED}`;
      const { headers, body } = get(discovery, path, { headers: { accept } });
      assert.equal(headers['content-type'], accept);
      const json = bodyOf(discovery, path, `application/json;${AGGREGATED}`);
      assert.deepEqual(decoded(body as Buffer), leaner(json));
    });
  }

  it('is for clients that accept nothing else', () => {
    for (const accept of [`${PROTOBUF}, */*`, `${PROTOBUF},application/json`]) {
      const { headers } = get(discovery, '/apis', { headers: { accept } });
      assert.equal(headers['content-type'], 'application/json');
    }
    const unknown = `${PROTOBUF};g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList`;
    assert.equal(failure(discovery, '/apis', { headers: { accept: unknown } }), 406);
  });
});
