import type { JsonObject } from '../../api/json.ts';
import { parseStoredJson } from '../../api/json-parse.ts';
import type { ListResult } from '../../registry/list.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { ServedResource, Target } from '../../registry/served-resource.ts';
import type { Entry } from '../../watch/entry.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { answerInPieces } from './answer.ts';
import { jsonEnvelope, prettyEnvelope, prettyItem, type ListHead } from './list-envelope.ts';
import { listPieces, type ListSource } from './list-pieces.ts';
import { negotiateObjects } from './negotiate.ts';
import { beginsWith, typeMetaPrefix } from './object-bytes.ts';
import type { SlabWriter } from './slab-writer.ts';

/**
 * A collection in the form that the client accepts, written as the client takes it.
 *
 * @throws ApiError 406; what goes wrong with the first objects. Later failures break the answer off.
 */
export async function respondList(
  exchange: Exchange,
  parts: RegistryParts,
  { resource }: Target,
  result: ListResult,
): Promise<ApiResponse> {
  const representation = negotiateObjects(exchange.request);
  const head = listHead(resource, result);
  const writeItem = representation.pretty ? prettyItemWriter(resource) : itemWriter(resource);
  const envelope = representation.pretty ? prettyEnvelope(head) : jsonEnvelope(head);
  const source: ListSource<Entry> = {
    chunks: result.chunks,
    write(slabs, entry) {
      const bytes = parts.views.bytes(resource, entry);
      if (bytes instanceof Promise) return bytes.then((ready) => writeItem(slabs, ready));
      writeItem(slabs, bytes);
      return undefined;
    },
  };
  const pieces = listPieces(source, envelope, parts.clock);
  return answerInPieces(exchange, 200, representation, pieces);
}

type ItemWriter = (slabs: SlabWriter, bytes: Buffer) => void;

/** Items of built-in kinds go without apiVersion and kind, custom resources keep them (behaviours 2.8). */
function itemWriter(resource: ServedResource): ItemWriter {
  if (!resource.definition.builtin) return (slabs, bytes) => slabs.bytes(bytes);
  const prefix = typeMetaPrefix(resource);
  return (slabs, bytes) => {
    if (!beginsWith(bytes, prefix)) throw new Error('an object is not in canonical form');
    slabs.text('{');
    slabs.bytes(bytes, prefix.length);
  };
}

function prettyItemWriter({ definition }: ServedResource): ItemWriter {
  return (slabs, bytes) => {
    const item = parseStoredJson(bytes);
    if (definition.builtin) {
      delete item.apiVersion;
      delete item.kind;
    }
    slabs.text(prettyItem(item));
  };
}

function listHead({ definition, apiVersion }: ServedResource, result: ListResult): ListHead {
  return {
    fields: {
      kind: definition.names.listKind,
      apiVersion,
      metadata: listMetadata(result, !definition.builtin),
    },
    itemsField: 'items',
    noItems: [],
  };
}

/** Lists of custom resources always say whether they go on (behaviours 2.8). */
function listMetadata(
  { revision, continueToken, remaining }: ListResult,
  alwaysContinue: boolean,
): JsonObject {
  return {
    ...(alwaysContinue || continueToken !== '' ? { continue: continueToken } : {}),
    ...(remaining === undefined || continueToken === '' ? {} : { remainingItemCount: remaining }),
    resourceVersion: String(revision),
  };
}
