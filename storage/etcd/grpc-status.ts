import { classifyFailure, type CallFailure } from './call-error.ts';
import type { Head } from './http2/stream.ts';

/** What gRPC's trailers say of a call that failed. */
export function readStatus(head: Head | undefined): {
  failure: CallFailure;
  details: string;
} {
  const code = Number(head?.['grpc-status'] ?? Number.NaN);
  const text = head?.['grpc-message'];
  let details = text ?? `gRPC status ${code}`;
  try {
    details = decodeURIComponent(details);
  } catch {
    // Then it was not encoded.
  }
  return { failure: classifyFailure(code, details), details };
}
