import type { JsonObject } from '../api/json.ts';
import type { ListResult } from '../registry/list-result.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { createdAtColumn } from '../resources/columns.ts';
import {
  jsonEnvelope,
  prettyEnvelope,
  yamlEnvelope,
  type ListEnvelope,
  type ListHead,
} from './list-envelope.ts';
import type { Conversion, IncludeObject, Representation } from './negotiate.ts';
import { metadataRange } from '../storage/metadata-range.ts';
import { beginsWith, typeMetaPrefix } from './object-bytes.ts';
import { SlabWriter } from './slab-writer.ts';
import { laidOut } from './layout.ts';
import { partialPrefix } from './partial-object.ts';
import { columnDefinitions, RowWriter } from './table-rows.ts';

/** Writes an object, given as its finished bytes, as an item of a list. */
type WriteSync = (slabs: SlabWriter, bytes: Buffer) => void;
/** The same for a layout that takes long to make of a large object. */
type WriteItem = (slabs: SlabWriter, bytes: Buffer) => void | Promise<void>;

/** What a collection looks like, before it is written as JSON or YAML. */
export interface ListForm {
  readonly head: ListHead;
  /** As JSON without blanks. */
  readonly write: WriteSync;
  /** What the items are, unless they are objects of the resource. */
  readonly item?: { readonly apiVersion: string; readonly kind: string };
}

/** The metadata that lists have in common. */
export type ListMetadata = Pick<ListResult, 'continueToken' | 'remaining'> & {
  /** Undefined for what is not stored. */
  readonly revision: string | undefined;
};

/** Objects as they are. */
export function plainForm(resource: ServedResource, metadata: ListMetadata): ListForm {
  const { definition, apiVersion } = resource;
  return {
    head: {
      fields: {
        kind: definition.names.listKind,
        apiVersion,
        metadata: listMetadata(metadata, !definition.builtin),
      },
      itemsField: 'items',
      noItems: [],
    },
    write: plainWriter(resource),
  };
}

/** Items of built-in kinds go without apiVersion and kind, custom resources keep them (behaviours 2.8). */
function plainWriter(resource: ServedResource): WriteSync {
  if (!resource.definition.builtin) return (slabs, bytes) => slabs.bytes(bytes);
  const prefix = typeMetaPrefix(resource);
  return (slabs, bytes) => {
    if (!beginsWith(bytes, prefix)) throw new Error('an object is not in canonical form');
    slabs.text('{');
    slabs.bytes(bytes, prefix.length);
  };
}

/** Metadata only. A list without items has none at all, as clients have always seen. */
export function partialForm(conversion: Conversion, metadata: ListMetadata): ListForm {
  const { apiVersion } = conversion;
  const prefix = partialPrefix(conversion);
  return {
    head: {
      fields: { kind: 'PartialObjectMetadataList', apiVersion, metadata: listMetadata(metadata) },
      itemsField: 'items',
      noItems: null,
    },
    item: { apiVersion, kind: 'PartialObjectMetadata' },
    write(slabs, bytes) {
      const { start, end } = metadataRange(bytes);
      slabs.text(prefix);
      slabs.bytes(bytes, start, end);
      slabs.text('}');
    },
  };
}

export interface TableForm {
  readonly conversion: Conversion;
  readonly include: IncludeObject;
  /** The moment that ages are counted to. */
  readonly now: number;
  readonly hasHeaders: boolean;
}

/** One row for each object. */
export function tableForm(
  resource: ServedResource,
  { conversion, include, now, hasHeaders }: TableForm,
  metadata: ListMetadata,
): ListForm {
  const { columns } = resource.version;
  const rows = new RowWriter(resource, conversion, include, now);
  return {
    head: {
      fields: {
        kind: 'Table',
        apiVersion: conversion.apiVersion,
        metadata: listMetadata(metadata),
        columnDefinitions: hasHeaders ? columnDefinitions(columns) : null,
      },
      itemsField: 'rows',
      // Where the columns are those of every kind, no rows are null.
      noItems: columns.includes(createdAtColumn) ? null : [],
    },
    write: (slabs, bytes) => rows.write(slabs, bytes),
  };
}

/** Lists of custom resources always say whether they go on (behaviours 2.8). */
function listMetadata(
  { revision, continueToken, remaining }: ListMetadata,
  alwaysContinue = false,
): JsonObject {
  return {
    ...(alwaysContinue || continueToken !== '' ? { continue: continueToken } : {}),
    ...(remaining === undefined || continueToken === '' ? {} : { remainingItemCount: remaining }),
    ...(revision === undefined ? {} : { resourceVersion: revision }),
  };
}

/** A form in the format that was asked for. */
interface LaidOut {
  readonly envelope: ListEnvelope;
  readonly write: WriteItem;
}

/** Compact JSON is written as it is stored; other forms rewrite each item. */
export function layOut({ head, write }: ListForm, representation: Representation): LaidOut {
  const { format, pretty } = representation;
  if (format !== 'yaml' && !pretty) return { envelope: jsonEnvelope(head), write };
  const envelope = format === 'yaml' ? yamlEnvelope(head) : prettyEnvelope(head);
  return { envelope, write: rewritten(write, representation) };
}

/** The same items in another layout; for people, so parsing them once more does not matter. */
function rewritten(write: WriteSync, representation: Representation): WriteItem {
  return (slabs, bytes) => {
    const item = new SlabWriter();
    write(item, bytes);
    const laid = laidOut(Buffer.concat(item.takeRest()), representation, 'item');
    if (laid instanceof Promise) return laid.then((made) => slabs.bytes(made));
    slabs.bytes(laid);
    return undefined;
  };
}
