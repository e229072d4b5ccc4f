import { objectOf } from '../../resources/object-of.ts';
import { requestSchema } from '../../resources/certificates/request-schema.ts';
import { X509Certificate } from 'node:crypto';
import { CERTIFICATES_GROUP } from '../../api/naming.ts';
import type { Peer } from '../../http/message.ts';
import { isIn } from '../../resources/certificates/request.ts';
import { resourcePrefix } from '../../storage/keys.ts';
import type { Entry } from '../../watch/entry.ts';
import { Follower } from '../../watch/follower.ts';
import type { Replica } from '../../watch/replica.ts';

/** In the bytes of every revoked request; the others need no parsing. */
const MARK = Buffer.from('"Revoked"');

/**
 * Certificates whose signing request carries the condition Revoked. Changes are
 * taken in before an answer, so that it is never older than what this server shows.
 */
export class Revocations {
  readonly #follower: Follower;
  /** Fingerprints of certificates by the name of their request. */
  readonly #revoked = new Map<string, string>();
  #fingerprints: ReadonlySet<string> = new Set();

  constructor(replica: Replica) {
    const prefix = resourcePrefix({
      group: CERTIFICATES_GROUP,
      resource: 'certificatesigningrequests',
    });
    this.#follower = new Follower(replica, prefix);
  }

  covers({ certificate }: Peer): boolean {
    if (this.#follower.behind) this.#catchUp();
    return certificate !== undefined && this.#fingerprints.has(certificate.fingerprint256);
  }

  #catchUp(): void {
    const changes = this.#follower.changes();
    if (changes.all) {
      this.#revoked.clear();
      for (const entry of changes.items.range('')) this.#put(entry);
    } else {
      for (const { type, entry } of changes.events) {
        if (type === 'DELETED') this.#revoked.delete(entry.name);
        else this.#put(entry);
      }
    }
    this.#fingerprints = new Set(this.#revoked.values());
  }

  #put(entry: Entry): void {
    const fingerprint = entry.bytes.includes(MARK) ? revokedIn(entry) : undefined;
    if (fingerprint === undefined) this.#revoked.delete(entry.name);
    else this.#revoked.set(entry.name, fingerprint);
  }
}

/** The fingerprint of the certificate that the request revokes; undefined: none. */
function revokedIn(entry: Entry): string | undefined {
  try {
    const request = objectOf(requestSchema, entry.object());
    const { certificate = '' } = request.status;
    if (certificate === '' || !isIn(request, 'Revoked')) return undefined;
    return new X509Certificate(Buffer.from(certificate, 'base64')).fingerprint256;
  } catch {
    return undefined;
  }
}
