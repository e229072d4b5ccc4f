import { X509Certificate } from 'node:crypto';
import { REVOKED_FINALIZER, CERTIFICATES_GROUP } from '../../api/naming.ts';
import { parseTime } from '../../api/time.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { requestSchema } from '../../resources/certificates/request-schema.ts';
import { objectOf } from '../../resources/object-of.ts';
import {
  API_CLIENT_SIGNER,
  isIn,
  type SigningRequest,
} from '../../resources/certificates/request.ts';
import type { Target } from '../../registry/served-resource.ts';
import type { Entry } from '../../watch/entry.ts';
import { CERTIFICATE_REQUESTS_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { seenOf, type LoopWriter } from '../writer.ts';

const HOUR_MS = 3_600_000;
/** How long an answer can be fetched. */
const ANSWERED_MS = HOUR_MS;
/** How long a request waits for an answer. */
const PENDING_MS = 24 * HOUR_MS;
/** Requests that one step removes. */
const MAX_REMOVALS = 200;

/**
 * Removes requests that have served their purpose. One with a certificate by
 * which a client signs in stays as long as that certificate is valid: it is the
 * record by which the certificate is listed and revoked. Source: behaviours 9.22.
 */
export function requestCleanupLoop(parts: RegistryParts, writer: LoopWriter): Loop {
  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    const resource = parts.catalog.findStored(CERTIFICATES_GROUP, 'certificatesigningrequests');
    if (resource === undefined) throw new Error('the kind of signing requests is missing');
    const now = parts.clock.now();
    const { items } = parts.reader.replica.collection(CERTIFICATE_REQUESTS_PREFIX);
    const over = [...items.range('')].filter(
      (entry) => !entry.corrupt && endOf(objectOf(requestSchema, entry.object())) < now,
    );
    for (const entry of over.slice(0, MAX_REMOVALS)) {
      if (signal.aborted) break;
      await remove(writer, { resource, namespace: '', name: entry.name }, entry, signal);
    }
    return {
      summary: `${items.size} requests, ${over.length} over`,
      ...(over.length > MAX_REMOVALS ? { again: true } : {}),
    };
  };
  return { name: 'certificate-cleanup', periodMs: HOUR_MS, wokenBy: [], elected: true, step };
}

/** When the request may go, in milliseconds. */
function endOf(request: SigningRequest): number {
  const { certificate = '', conditions = [] } = request.status;
  if (certificate !== '' && request.spec.signerName === API_CLIENT_SIGNER) {
    return endOfCertificate(certificate);
  }
  const decided = conditions.map(({ lastUpdateTime }) => parseTime(lastUpdateTime ?? '') ?? 0);
  const isAnswered = ['Approved', 'Denied', 'Failed'].some((type) => isIn(request, type));
  if (isAnswered) return Math.max(...decided) + ANSWERED_MS;
  return (parseTime(request.metadata.creationTimestamp ?? '') ?? 0) + PENDING_MS;
}

/** What cannot be read is not kept for its own sake. */
function endOfCertificate(base64: string): number {
  try {
    return Date.parse(new X509Certificate(Buffer.from(base64, 'base64')).validTo);
  } catch {
    return 0;
  }
}

async function remove(
  writer: LoopWriter,
  target: Target,
  entry: Entry,
  signal: AbortSignal,
): Promise<void> {
  const { finalizers = [] } = entry.object().metadata;
  if (!finalizers.includes(REVOKED_FINALIZER)) {
    await writer.remove(target, seenOf(entry), { signal });
    return;
  }
  const change = await writer.change(
    target,
    seenOf(entry),
    ({ metadata }) => {
      metadata.finalizers = finalizers.filter((name) => name !== REVOKED_FINALIZER);
    },
    { signal },
  );
  if (change.outcome !== 'done' || change.entry === undefined) return;
  await writer.remove(target, seenOf(change.entry), { signal });
}
