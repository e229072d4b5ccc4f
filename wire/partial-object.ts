import type { Conversion } from './negotiate.ts';
import { metadataOf } from './object-bytes.ts';

/** What stands before an object's metadata when nothing else of it is shown. */
export function partialPrefix({ apiVersion }: Conversion): string {
  return `{"kind":"PartialObjectMetadata","apiVersion":${JSON.stringify(apiVersion)},"metadata":`;
}

/** An object's metadata under the kind that has nothing else. */
export function partialObject(bytes: Buffer, conversion: Conversion): Buffer {
  return Buffer.concat([
    Buffer.from(partialPrefix(conversion)),
    metadataOf(bytes),
    Buffer.from('}'),
  ]);
}
