import { list, string, struct, use } from '../../schema/dsl.ts';
import { webhookClientConfig } from '../webhook-client.ts';

const GROUP = 'io.cluster.apiextensions.v1';

export const Conversion = struct(
  `${GROUP}.CustomResourceConversion`,
  {
    strategy: string({
      required: true,
      enum: ['None', 'Webhook'],
      description:
        '`None`: only apiVersion changes. `Webhook`: a service outside of the server converts.',
    }),
    webhook: use(
      struct(
        `${GROUP}.WebhookConversion`,
        {
          clientConfig: use(webhookClientConfig(GROUP), {
            pointer: true,
            description: 'How the webhook is reached.',
          }),
          conversionReviewVersions: list(string(), {
            required: true,
            listType: 'atomic',
            description:
              'The versions of ConversionReview that the webhook takes, best first. The first that the server knows is used.',
          }),
        },
        { numbers: { clientConfig: 2, conversionReviewVersions: 3 } },
      ),
      {
        pointer: true,
        description: 'The webhook. Only with the strategy `Webhook`.',
      },
    ),
  },
  {
    description: 'How objects get from one version to another.',
    numbers: { strategy: 1, webhook: 2 },
  },
);
