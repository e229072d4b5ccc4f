import type { ApiObject } from '../../api/object.ts';
import {
  DEFAULT_TIMEOUT_SECONDS,
  type WebhookConfiguration,
  type WebhookValue,
} from '../../resources/admissionregistration/webhook-schema.ts';
import type { ClientConfigValue } from '../../resources/webhook-client.ts';
import { MatchConditions } from '../expressions/match-conditions.ts';
import type { Ruled } from '../match/candidates.ts';
import type { MatchPolicy } from '../match/matched-version.ts';
import { Rule } from '../match/rule.ts';
import { Selectors } from '../match/selectors.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

/** One webhook of a configuration, ready to be asked. */
export interface Webhook extends Ruled {
  /** Unique among all webhooks. */
  readonly id: string;
  readonly name: string;
  /** The object that it stands in. */
  readonly configuration: string;
  readonly configurationUid: string;
  /** Among all webhooks of its kind, in the order in which they run. */
  readonly index: number;
  readonly rules: readonly Rule[];
  readonly matchPolicy: MatchPolicy;
  readonly selectors: Selectors;
  readonly conditions: MatchConditions;
  readonly clientConfig: ClientConfigValue;
  /** failurePolicy Ignore: what goes wrong with it is passed over. */
  readonly ignoresFailure: boolean;
  readonly timeoutMs: number;
  /** It can be asked about requests that are not carried out. */
  readonly allowsDryRun: boolean;
  /** Undefined: it accepts none that is known. */
  readonly reviewVersion: ReviewVersion | undefined;
  /** reinvocationPolicy IfNeeded. */
  readonly isReinvoked: boolean;
}

/** The webhooks of all configurations, which are in the order of their names (behaviours 8.6). */
export function webhooksOf(configurations: readonly (readonly Webhook[])[]): readonly Webhook[] {
  return configurations.flat().map((webhook, index) => ({ ...webhook, index }));
}

/** The webhooks of one configuration, in its order. */
export function compileWebhooks(configuration: WebhookConfiguration): readonly Webhook[] {
  const seen = new Map<string, number>();
  return (configuration.webhooks ?? []).map((value, index) => {
    const count = seen.get(value.name) ?? 0;
    seen.set(value.name, count + 1);
    return compileWebhook(value, configuration.metadata, count, index);
  });
}

const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'] satisfies ReviewVersion[];

/** `count`: how many webhooks of its name come before it in the configuration. */
function compileWebhook(
  value: WebhookValue,
  { name: configuration = '', uid = '' }: ApiObject['metadata'],
  count: number,
  index: number,
): Webhook {
  const { name, clientConfig, sideEffects } = value;
  const reviewVersion = value.admissionReviewVersions?.find((v) => REVIEW_VERSIONS.includes(v));
  return {
    id: `${configuration}/${name}/${count}`,
    name,
    configuration,
    configurationUid: uid,
    index,
    rules: (value.rules ?? []).map((rule) => new Rule(rule)),
    matchPolicy: value.matchPolicy === 'Exact' ? 'Exact' : 'Equivalent',
    selectors: new Selectors(value),
    conditions: new MatchConditions(value.matchConditions ?? [], false),
    clientConfig,
    ignoresFailure: value.failurePolicy === 'Ignore',
    timeoutMs: (value.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
    allowsDryRun: sideEffects === 'None' || sideEffects === 'NoneOnDryRun',
    reviewVersion: reviewVersion as ReviewVersion | undefined,
    isReinvoked: value.reinvocationPolicy === 'IfNeeded',
  };
}
