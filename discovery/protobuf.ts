import type { JsonObject } from '../api/json.ts';
import { ProtobufWriter } from '../api/protobuf/writer.ts';
import { ENVELOPE, MAGIC, TYPE_META } from '../wire/protobuf/envelope.ts';
import {
  bool,
  each,
  message,
  messageOf,
  nested,
  string,
  type Message,
} from './openapi/protobuf-fields.ts';

/*
 * The documents of discovery as protobuf. Numbers: k8s.io/apimachinery
 * pkg/apis/meta/v1 and k8s.io/api apidiscovery/v2, generated.proto.
 */

const names = (id: number): ReturnType<typeof each> => each(string(id));
const messages = (id: number, of: Message): ReturnType<typeof each> => each(message(id, () => of));

const GROUP_VERSION = messageOf({ groupVersion: string(1), version: string(2) });
const ADDRESS = messageOf({ clientCIDR: string(1), serverAddress: string(2) });
const GROUP_VERSION_KIND = messageOf({ group: string(1), version: string(2), kind: string(3) });
const METADATA = messageOf({ name: string(1) });

const GROUP = messageOf({
  name: string(1),
  versions: messages(2, GROUP_VERSION),
  preferredVersion: message(3, () => GROUP_VERSION),
});

const RESOURCE = messageOf({
  name: string(1),
  namespaced: bool(2),
  kind: string(3),
  verbs: nested(4, names(1)),
  shortNames: names(5),
  singularName: string(6),
  categories: names(7),
  group: string(8),
  version: string(9),
  storageVersionHash: string(10),
});

const SUBRESOURCE_DISCOVERY = messageOf({
  subresource: string(1),
  responseKind: message(2, () => GROUP_VERSION_KIND),
  acceptedTypes: messages(3, GROUP_VERSION_KIND),
  verbs: names(4),
});

const RESOURCE_DISCOVERY = messageOf({
  resource: string(1),
  responseKind: message(2, () => GROUP_VERSION_KIND),
  scope: string(3),
  singularResource: string(4),
  verbs: names(5),
  shortNames: names(6),
  categories: names(7),
  subresources: messages(8, SUBRESOURCE_DISCOVERY),
});

const VERSION_DISCOVERY = messageOf({
  version: string(1),
  resources: messages(2, RESOURCE_DISCOVERY),
  freshness: string(3),
});

const GROUP_DISCOVERY = messageOf({
  metadata: message(1, () => METADATA),
  versions: messages(2, VERSION_DISCOVERY),
});

const DOCUMENTS: Readonly<Record<string, Message>> = {
  APIVersions: messageOf({ versions: names(1), serverAddressByClientCIDRs: messages(2, ADDRESS) }),
  APIGroup: GROUP,
  APIGroupList: messageOf({ groups: messages(1, GROUP) }),
  APIResourceList: messageOf({ groupVersion: string(1), resources: messages(2, RESOURCE) }),
  APIGroupDiscoveryList: messageOf({
    metadata: message(1, () => METADATA),
    items: messages(2, GROUP_DISCOVERY),
  }),
};

/** A document of `lists.ts` in its envelope; as in JSON, some name no apiVersion. */
export function discoveryProtobuf(document: JsonObject): Buffer {
  const writer = new ProtobufWriter(SIZE_HINT);
  const { kind = '', apiVersion = '' } = document as Record<string, string>;
  message(ENVELOPE.RAW, () => DOCUMENTS[kind] ?? messageOf({}))(writer, document);
  const mark = writer.mark();
  writer.text(TYPE_META.KIND, kind);
  if (apiVersion !== '') writer.text(TYPE_META.API_VERSION, apiVersion);
  writer.message(ENVELOPE.TYPE_META, mark);
  return Buffer.concat([MAGIC, writer.finish()]);
}

const SIZE_HINT = 16 * 1024;
