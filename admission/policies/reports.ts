import type { AdmissionAttributes } from '../attributes.ts';
import { beginDecision, type DecisionParts, type Outcome } from '../decisions.ts';
import type { ExtensionFailure, FailureReport } from '../failure-report.ts';
import type { Policy } from './policy.ts';

interface ReportParts extends DecisionParts {
  readonly onFailure: FailureReport;
}

/** An evaluation that has begun; exactly one of these reports its end, if it matched. */
interface Evaluation {
  /** @param refusal what the client is told; absent: the request goes on */
  decided(outcome: Outcome, refusal?: string): void;
  /** The policy could not be evaluated. The client is told `message` unless the policy ignores failures. */
  failed(message: string): void;
}

/** Reports what policies of one kind decide, and which of them do not work. */
export class PolicyReports {
  readonly #kind: ExtensionFailure['kind'];
  readonly #parts: ReportParts;

  constructor(kind: ExtensionFailure['kind'], parts: ReportParts) {
    this.#kind = kind;
    this.#parts = parts;
  }

  /** @param what holds nothing of the objects of requests */
  failure({ name, uid, ignoresFailure }: Policy, what: string): void {
    this.#parts.onFailure({ kind: this.#kind, name, uid, what, ignored: ignoresFailure });
  }

  begin({ name, uid, ignoresFailure }: Policy, attributes: AdmissionAttributes): Evaluation {
    const extension = { kind: this.#kind, name, uid, webhook: '' };
    const decided = beginDecision(this.#parts, extension, attributes);
    return {
      decided,
      failed: (message) => decided('failed', ignoresFailure ? undefined : message),
    };
  }
}
