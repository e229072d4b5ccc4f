import type { JSX } from 'preact';
import { getJson } from '../api/http.ts';
import { at, listAt, shortText, textAt, type Json } from '../api/json.ts';
import { pathOf, type KindName } from '../api/kind.ts';
import { Age } from '../parts/time.tsx';
import { findKind } from '../state/catalog.ts';
import { may } from '../state/rights.ts';

const EVENTS: KindName = { group: 'events.cluster.io', version: 'v1', plural: 'events' };
/** Events about objects without namespaces stand here. */
const NAMESPACE = 'default';
const SELECTOR = 'reason in (WebhookFailed,PolicyFailed)';
/** Events that are read: each webhook and policy has at most ten an hour. */
const MOST_READ = 500;
/** What failed so long ago, and has not been asked since, still counts as failing. */
const RECENT_MS = 300_000;
/** How the server begins what it tells of a webhook. */
const WEBHOOK = /^failed calling webhook "([^"]*)": /;

/** What webhooks or policies tell apart: kind and name of the configuration, and the webhook in it. */
interface Extension {
  readonly kind: string;
  readonly name: string;
  readonly webhook: string;
}
const keyOf = ({ kind, name, webhook }: Extension): string => [kind, name, webhook].join('\n');

/** Why a webhook or policy failed last, as a server of the installation tells it in an Event. */
interface Failure {
  readonly why: string;
  readonly time: string;
}
export type Failures = ReadonlyMap<string, Failure>;

/** Whether the user may read why webhooks and policies fail. */
export function mayReadFailures(): boolean {
  const kind = findKind(EVENTS);
  return kind !== undefined && may('list', kind, NAMESPACE);
}

/** Reads the last failures of webhooks and policies; none where that is refused. */
export async function readFailures(signal: AbortSignal): Promise<Failures> {
  const failures = new Map<string, Failure>();
  if (!mayReadFailures()) return failures;
  const query = new URLSearchParams({
    fieldSelector: SELECTOR,
    managedFields: 'omit',
    limit: String(MOST_READ),
  });
  const list = await getJson(`${pathOf(EVENTS, NAMESPACE)}?${query.toString()}`, { signal });
  for (const event of listAt(list, 'items')) {
    const note = textAt(event, 'note');
    const [, webhook = ''] = WEBHOOK.exec(note) ?? [];
    const [kind, name] = [textAt(event, 'regarding', 'kind'), textAt(event, 'regarding', 'name')];
    const key = keyOf({ kind, name, webhook });
    const time = textAt(event, 'series', 'lastObservedTime') || textAt(event, 'eventTime');
    const known = failures.get(key);
    if (known !== undefined && known.time > time) continue;
    failures.set(key, { why: note.replace(WEBHOOK, ''), time });
  }
  return failures;
}

/** What the server has counted of a webhook or policy; `items` are those of `/debug/admission`. */
export function itemOf(items: readonly Json[], extension: Extension): Json | undefined {
  return items.find(
    (each) =>
      textAt(each, 'kind') === extension.kind &&
      textAt(each, 'name') === extension.name &&
      textAt(each, 'webhook') === extension.webhook,
  );
}

/** How a webhook or policy fails now. */
interface Failing {
  readonly why: string;
  /** Empty: unknown. */
  readonly time: string;
}

/**
 * Whether a webhook or policy fails: on the server that answers it failed the last
 * time, or a server told of a failure that no success has followed here, minutes ago.
 *
 * @param items those of `/debug/admission`
 */
export function failingOf(
  extension: Extension,
  items: readonly Json[],
  failures: Failures,
): Failing | undefined {
  const item = itemOf(items, extension);
  const failure = failures.get(keyOf(extension));
  const inARow = Number(shortText(at(item, 'failuresInARow')) || 0);
  if (inARow > 0) {
    const time = textAt(item, 'lastFailureTime');
    return { why: failure?.why ?? lastMessage(item) ?? '', time };
  }
  if (failure === undefined || Date.now() - Date.parse(failure.time) > RECENT_MS) return undefined;
  const last = Math.max(
    0,
    ...listAt(item, 'matched').map((row) => Date.parse(textAt(row, 'lastTime')) || 0),
  );
  const hasRecovered = last >= Math.floor(Date.parse(failure.time) / 1_000) * 1_000;
  return hasRecovered ? undefined : { why: failure.why, time: failure.time };
}

/** What a client was told when a request was refused because of the failure. */
function lastMessage(item: Json | undefined): string | undefined {
  const refusal = listAt(item, 'refusals').find((each) => textAt(each, 'outcome') === 'failed');
  return refusal === undefined ? undefined : textAt(refusal, 'message');
}

/** Says that a webhook or policy fails, and why. */
export function FailingNote({
  failing,
}: {
  readonly failing: Failing | undefined;
}): JSX.Element | null {
  if (failing === undefined) return null;
  return (
    <p class="failing">
      <span class="state bad">fails</span>{' '}
      {failing.time !== '' && (
        <span class="dim">
          <Age time={failing.time} /> ago:
        </span>
      )}{' '}
      {failing.why || 'the reason is in the log of the server'}
    </p>
  );
}
