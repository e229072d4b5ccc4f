import { revisionOf, type Revision } from '../../api/revision.ts';
import { StoreError, type StoreErrorCode } from '../errors.ts';

/** What a failed call to etcd means for its caller; a closed list. */
export type CallFailure =
  /** It was never executed: not sent, or turned away at the door. Another member may take it. */
  | 'refused'
  /** The connection or the member failed half way: it is not known yet whether the call was executed. */
  | 'lost'
  /** As `lost`, because no answer came in time. */
  | 'deadline'
  /** The caller's signal aborted. */
  | 'cancelled'
  /** The authentication token has expired or is missing; the call was not executed. */
  | 'token'
  | 'denied'
  | 'compacted'
  | 'future'
  | 'tooLarge'
  /** The call was executed, or may have been; what it answered is more than this side takes. */
  | 'answerTooLarge'
  /** The space quota is exhausted. A write may have been executed all the same (see space.ts). */
  | 'noSpace'
  | 'leaseMissing'
  | 'corrupt'
  /** etcd calls the request wrong; the call was not executed. */
  | 'rejected';

/** A call to one member of the cluster failed; never leaves the etcd room. */
export class EtcdCallError extends Error {
  override readonly name = 'EtcdCallError';
  readonly failure: CallFailure;
  /** With `compacted`: the oldest revision that is left, when etcd tells it. */
  readonly compactRevision: Revision | undefined;

  constructor(failure: CallFailure, message: string, cause?: unknown, compactRevision?: Revision) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
    this.compactRevision = compactRevision;
  }

  static compacted(compactRevision: bigint): EtcdCallError {
    return new EtcdCallError(
      'compacted',
      `history before revision ${compactRevision} has been compacted`,
      undefined,
      revisionOf(compactRevision),
    );
  }
}

/** Numbers of gRPC status codes that mean something here. */
const STATUS = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

/**
 * Messages that decide, because etcd uses one status code for many things
 * (api/v3rpc/rpctypes/error.go of etcd). The first that occurs in the text wins.
 */
const BY_MESSAGE: readonly (readonly [string, CallFailure])[] = [
  ['required revision has been compacted', 'compacted'],
  ['required revision is a future revision', 'future'],
  ['database space exceeded', 'noSpace'],
  ['request is too large', 'tooLarge'],
  ['larger than max', 'tooLarge'],
  ['requested lease not found', 'leaseMissing'],
  ['invalid auth token', 'token'],
  ['revision of auth store is old', 'token'],
  ['user name is empty', 'token'],
  ['authentication failed', 'denied'],
  ['permission denied', 'denied'],
  ['corrupt cluster', 'corrupt'],
  // Turned away before anything was proposed.
  ['etcdserver: no leader', 'refused'],
  ['too many requests', 'refused'],
  ['rpc not supported for learner', 'refused'],
  ['not capable', 'refused'],
];

/** Tells failures apart by gRPC status and etcd's message. */
export function classifyFailure(code: number, details: string): CallFailure {
  for (const [text, failure] of BY_MESSAGE) if (details.includes(text)) return failure;
  switch (code) {
    case STATUS.deadlineExceeded:
      return 'deadline';
    case STATUS.permissionDenied:
    case STATUS.unauthenticated:
      return 'denied';
    case STATUS.dataLoss:
      return 'corrupt';
    case STATUS.invalidArgument:
    case STATUS.failedPrecondition:
    case STATUS.outOfRange:
    case STATUS.unimplemented:
      return 'rejected';
    default:
      // Unavailable, Internal, Unknown, Aborted, Cancelled by the server: anything may have happened.
      return 'lost';
  }
}

const STORE_CODE: Record<CallFailure, StoreErrorCode> = {
  refused: 'unavailable',
  lost: 'unavailable',
  deadline: 'timeout',
  cancelled: 'cancelled',
  token: 'denied',
  denied: 'denied',
  compacted: 'compacted',
  future: 'futureRevision',
  tooLarge: 'tooLarge',
  answerTooLarge: 'tooLarge',
  noSpace: 'outOfSpace',
  leaseMissing: 'unavailable',
  corrupt: 'corrupt',
  rejected: 'unavailable',
};

/** The boundary: what callers of the Store see of a failed call. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof EtcdCallError)) return error;
  const { compactRevision } = error;
  return new StoreError(STORE_CODE[error.failure], `etcd: ${error.message}`, {
    cause: error,
    ...(compactRevision === undefined ? {} : { compactRevision }),
  });
}
