/**
 * A webhook or policy that does not work: it could not be asked or evaluated.
 * One that refuses a request works.
 */
export interface ExtensionFailure {
  readonly kind:
    | 'MutatingWebhookConfiguration'
    | 'ValidatingWebhookConfiguration'
    | 'MutatingAdmissionPolicy'
    | 'ValidatingAdmissionPolicy';
  readonly name: string;
  readonly uid: string;
  /** What failed. Holds nothing of the objects of requests: others may read it. */
  readonly what: string;
  /** failurePolicy Ignore: the request went on. */
  readonly ignored: boolean;
}

/** Told of each failure; on the path of requests, so it must neither wait nor throw. */
export type FailureReport = (failure: ExtensionFailure) => void;

/** What is told of a policy without its expressions' words, which may hold parts of objects. */
export const MATCH_CONDITIONS_FAILED = 'the matchConditions could not be evaluated';
