import type { IncomingHttpHeaders } from 'node:http2';
import { classifyFailure, type CallFailure } from './call-error.ts';

/** What gRPC's trailers say of a call that failed. */
export function readStatus(headers: IncomingHttpHeaders | undefined): {
  failure: CallFailure;
  details: string;
} {
  const code = Number(headers?.['grpc-status'] ?? Number.NaN);
  const text = headers?.['grpc-message'];
  let details = typeof text === 'string' ? text : `gRPC status ${code}`;
  try {
    details = decodeURIComponent(details);
  } catch {
    // Then it was not encoded.
  }
  return { failure: classifyFailure(code, details), details };
}
