import { CERTIFICATES_GROUP } from '../../api/naming.ts';
import type { ApiObject } from '../../api/object.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { requestSchema } from '../../resources/certificates/request-schema.ts';
import { objectOf } from '../../resources/object-of.ts';
import {
  API_CLIENT_SIGNER,
  isIn,
  type RequestSpec,
  type SigningRequest,
} from '../../resources/certificates/request.ts';
import { Follower } from '../../watch/follower.ts';
import type { Entry } from '../../watch/entry.ts';
import { CERTIFICATE_REQUESTS_PREFIX } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { seenOf, type LoopWriter } from '../writer.ts';

const PERIOD_MS = 300_000;

/** Issues a certificate as PEM; `now` in milliseconds. An error says why there can be none. */
type SignCertificate = (spec: RequestSpec, now: number) => Promise<string>;

/**
 * Signs approved requests for certificates by which clients sign in. A request
 * that cannot be signed gets the condition Failed, and is not tried again.
 * Source: behaviours 9.22.
 */
export function signingLoop(parts: RegistryParts, writer: LoopWriter, sign: SignCertificate): Loop {
  const { replica } = parts.reader;
  const pending = new Map<string, Entry>();
  let follower = new Follower(replica, CERTIFICATE_REQUESTS_PREFIX);

  const note = (entry: Entry): void => {
    if (!entry.corrupt && awaitsSignature(entry.object())) pending.set(entry.name, entry);
    else pending.delete(entry.name);
  };
  const catchUp = (): void => {
    const changes = follower.changes();
    if (changes.all) {
      pending.clear();
      for (const entry of changes.items.range('')) note(entry);
      return;
    }
    for (const { type, entry } of changes.events) {
      if (type === 'DELETED') pending.delete(entry.name);
      else note(entry);
    }
  };

  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    catchUp();
    let signed = 0;
    for (const entry of [...pending.values()]) {
      if (signal.aborted) break;
      if (await attend(parts, writer, sign, { entry, signal })) signed++;
      pending.delete(entry.name);
    }
    return { summary: `${signed} requests answered` };
  };

  return {
    name: 'certificate-signing',
    periodMs: PERIOD_MS,
    wokenBy: [CERTIFICATE_REQUESTS_PREFIX],
    elected: true,
    step,
    reset() {
      pending.clear();
      follower = new Follower(replica, CERTIFICATE_REQUESTS_PREFIX);
    },
  };
}

function awaitsSignature(object: ApiObject): boolean {
  const request = objectOf(requestSchema, object);
  return (
    request.spec.signerName === API_CLIENT_SIGNER &&
    (request.status.certificate ?? '') === '' &&
    isIn(request, 'Approved') &&
    !['Denied', 'Failed', 'Revoked'].some((type) => isIn(request, type))
  );
}

/** False when the request has changed since: then the loop is woken again. */
async function attend(
  { catalog, clock }: RegistryParts,
  writer: LoopWriter,
  sign: SignCertificate,
  { entry, signal }: { entry: Entry; signal: AbortSignal },
): Promise<boolean> {
  const resource = catalog.findStored(CERTIFICATES_GROUP, 'certificatesigningrequests');
  if (resource === undefined) throw new Error('the kind of signing requests is missing');
  const answer = await answerTo(objectOf(requestSchema, entry.object()).spec, sign, clock.now());
  const { outcome } = await writer.change(
    { resource, namespace: '', name: entry.name },
    seenOf(entry),
    (object) => {
      const { status } = objectOf(requestSchema, object);
      if ('certificate' in answer) status.certificate = answer.certificate;
      else status.conditions = [...(status.conditions ?? []), answer.failed];
    },
    { subresource: 'status', signal },
  );
  return outcome === 'done';
}

type Answer =
  | { readonly certificate: string }
  | { readonly failed: NonNullable<SigningRequest['status']['conditions']>[number] };

async function answerTo(spec: RequestSpec, sign: SignCertificate, now: number): Promise<Answer> {
  try {
    return { certificate: Buffer.from(await sign(spec, now)).toString('base64') };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = 'SignerValidationFailure';
    // the times are completed when it is written
    const times = { lastTransitionTime: null, lastUpdateTime: null };
    return { failed: { type: 'Failed', status: 'True', reason, message, ...times } };
  }
}
