import type { ExtensionFailure, FailureReport } from '../../admission/failure-report.ts';
import type { EventRecorder } from '../../controllers/events/recorder.ts';

const API_VERSION = 'admissionregistration.cluster.io/v1';

/** Tells of webhooks and policies that do not work in Events about their configurations. */
export function failureEvents(recorder: EventRecorder): FailureReport {
  return ({ kind, name, uid, what, ignored }: ExtensionFailure) =>
    recorder.record({
      regarding: { apiVersion: API_VERSION, kind, namespace: '', name, uid },
      type: 'Warning',
      reason: kind.endsWith('Policy') ? 'PolicyFailed' : 'WebhookFailed',
      action: 'Admitting',
      note: `${what}; ${ignored ? 'ignored, as failurePolicy says' : 'the request was refused, as failurePolicy says'}`,
    });
}
