import { FieldPath } from '../../api/field-path.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, countColumn, nameColumn } from '../columns.ts';
import type { ResourceDefinition, Strategy } from '../definition.ts';
import type { ExpressionChecker } from '../expressions.ts';
import { countGeneration, startGeneration } from '../generation.ts';
import { defaultWebhooks, validateWebhooks } from './webhook.ts';
import {
  mutatingWebhookConfigurationSchema,
  validatingWebhookConfigurationSchema,
  type WebhookConfiguration,
} from './webhook-schema.ts';

export const ADMISSIONREGISTRATION_GROUP = 'admissionregistration.cluster.io';

const WEBHOOKS = FieldPath.of('webhooks');

/** Source: specification 3, section 2.3; behaviours 9.0. The generation counts changes of the webhooks. */
function strategy(checker: ExpressionChecker): Strategy<WebhookConfiguration> {
  return {
    validateName: nameIsDnsSubdomain,
    createOnUpdate: false,
    unconditionalUpdate: false,
    prepareForCreate: startGeneration,
    prepareForUpdate: (object, old) => countGeneration(object, old, 'webhooks'),
    validate: (object) => validateWebhooks(WEBHOOKS, object.webhooks ?? [], undefined, checker),
    validateUpdate: (object, old) =>
      validateWebhooks(WEBHOOKS, object.webhooks ?? [], old.webhooks ?? [], checker),
  };
}

const columns = [
  nameColumn,
  countColumn('Webhooks', 'How many webhooks there are.', 'webhooks'),
  ageColumn,
];

/**
 * `checker` compiles match conditions when a configuration is written, and reports
 * those that do not compile.
 */
export function validatingWebhookConfigurationDefinition(
  checker: ExpressionChecker,
): ResourceDefinition {
  return builtinDefinition({
    group: ADMISSIONREGISTRATION_GROUP,
    version: 'v1',
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    categories: ['api-extensions'],
    namespaced: false,
    schema: validatingWebhookConfigurationSchema,
    defaults: (object) => defaultWebhooks(object['webhooks'], false),
    strategy: strategy(checker),
    columns,
  });
}

/** As the validating kind, and its webhooks have a `reinvocationPolicy`. */
export function mutatingWebhookConfigurationDefinition(
  checker: ExpressionChecker,
): ResourceDefinition {
  return builtinDefinition({
    group: ADMISSIONREGISTRATION_GROUP,
    version: 'v1',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    categories: ['api-extensions'],
    namespaced: false,
    schema: mutatingWebhookConfigurationSchema,
    defaults: (object) => defaultWebhooks(object['webhooks'], true),
    strategy: strategy(checker),
    columns,
  });
}
