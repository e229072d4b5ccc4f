import type { JsonObject } from '../../../api/json.ts';
import type { Rule, Rules } from './rule.ts';
import { SCHEMA_RULES, VALIDATION_RULES } from './schemas.ts';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        sizes: { type: 'array', items: { type: 'integer' } },
        selector: { type: 'string' },
      },
    },
    status: { type: 'object', properties: { size: { type: 'integer' } } },
  },
};
const VERSION: JsonObject = {
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: SCHEMA },
};
const version = (change: JsonObject): JsonObject => ({
  spec: { versions: [{ ...VERSION, ...change }] },
});
const scale = (change: JsonObject): JsonObject =>
  version({
    subresources: {
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size', ...change },
    },
  });
const SCALE = 'spec.subresources.scale';
const webhook = (clientConfig: JsonObject): JsonObject => ({
  spec: {
    conversion: {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig },
    },
  },
});
const CLIENT = 'spec.conversion.webhookClientConfig';
const MANY = Array.from({ length: 9 }, (_, i) => `f${i}`);
const MANY_SELECTABLE = version({
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: Object.fromEntries(MANY.map((name) => [name, { type: 'string' }])),
    },
  },
  selectableFields: MANY.map((name) => ({ jsonPath: `.${name}` })),
});

const NAMES: readonly Rule[] = [
  {
    rule: 'the name is <plural>.<group>',
    with: {},
    name: 'other.example.com',
    refused: 'metadata.name',
  },
  {
    rule: 'which no generated name is',
    with: { metadata: { generateName: 'new-' } },
    refused: 'metadata.generateName',
  },
  { rule: 'group is required', with: { spec: { group: '' } }, refused: 'spec.group' },
  { rule: 'group is a domain', with: { spec: { group: 'Bad_' } }, refused: 'spec.group' },
  {
    rule: 'scope is Cluster or Namespaced',
    with: { spec: { scope: 'World' } },
    refused: 'spec.scope',
  },
  { rule: 'kind is required', with: { spec: { names: { kind: '' } } }, refused: 'spec.names.kind' },
  {
    rule: 'plural is required',
    with: { spec: { names: { plural: '' } } },
    refused: 'spec.names.plural',
  },
  {
    rule: 'plural is lowercase',
    with: { spec: { names: { plural: 'Gadgets' } } },
    refused: 'spec.names.plural',
  },
  {
    rule: 'singular is lowercase',
    with: { spec: { names: { singular: 'Gadget' } } },
    refused: 'spec.names.singular',
  },
  {
    rule: 'shortNames are lowercase',
    with: { spec: { names: { shortNames: ['GD'] } } },
    refused: 'spec.names.shortNames[0]',
  },
  {
    rule: 'categories are labels',
    with: { spec: { names: { categories: ['a b'] } } },
    refused: 'spec.names.categories[0]',
  },
  {
    rule: 'listKind is <kind>List by default',
    with: {},
    answers: [['spec', 'names', 'listKind'], 'GadgetList'],
  },
  {
    rule: 'singular is the kind in lowercase by default',
    with: {},
    answers: [['spec', 'names', 'singular'], 'gadget'],
  },
  {
    rule: 'preserveUnknownFields is for older definitions',
    with: { spec: { preserveUnknownFields: true } },
    refused: 'spec.preserveUnknownFields',
  },
];

const VERSIONS: readonly Rule[] = [
  { rule: 'versions are required', with: { spec: { versions: [] } }, refused: 'spec.versions' },
  { rule: 'a version has a name', with: version({ name: '' }), refused: 'spec.versions[0].name' },
  {
    rule: 'exactly one version is stored: not none',
    with: version({ storage: false }),
    refused: 'spec.versions',
  },
  {
    rule: 'exactly one version is stored: not two',
    with: { spec: { versions: [VERSION, { ...VERSION, name: 'v2' }] } },
    refused: 'spec.versions',
  },
  {
    rule: 'versions have different names',
    with: { spec: { versions: [VERSION, { ...VERSION, storage: false }] } },
    refused: 'spec.versions',
  },
  {
    rule: 'a version has a schema',
    with: version({ schema: null }),
    refused: 'spec.versions[0].schema.openAPIV3Schema',
  },
  {
    rule: 'deprecationWarning only when deprecated',
    with: version({ deprecationWarning: 'old' }),
    refused: 'spec.versions[0].deprecationWarning',
  },
  {
    rule: 'a column has a name',
    with: version({ additionalPrinterColumns: [{ name: '', type: 'string', jsonPath: '.spec' }] }),
    refused: 'spec.additionalPrinterColumns[0].name',
  },
  {
    rule: 'a column has a path',
    with: version({ additionalPrinterColumns: [{ name: 'a', type: 'string', jsonPath: '' }] }),
    refused: 'spec.additionalPrinterColumns[0].JSONPath',
  },
  {
    rule: 'the type of a column is of OpenAPI',
    with: version({ additionalPrinterColumns: [{ name: 'a', type: 'text', jsonPath: '.spec' }] }),
    refused: 'spec.additionalPrinterColumns[0].type',
  },
  {
    rule: 'at most 8 selectable fields',
    with: MANY_SELECTABLE,
    refused: 'spec.selectableFields',
  },
  {
    rule: 'a selectable field has no array notation',
    with: version({ selectableFields: [{ jsonPath: '.spec.sizes[0]' }] }),
    refused: 'spec.selectableFields[0].jsonPath',
  },
  {
    rule: 'a selectable field is a scalar',
    with: version({ selectableFields: [{ jsonPath: '.spec' }] }),
    refused: 'spec.selectableFields[0].jsonPath',
  },
  {
    rule: 'a selectable field is not of metadata',
    with: version({ selectableFields: [{ jsonPath: '.metadata.name' }] }),
    refused: 'spec.selectableFields[0].jsonPath',
  },
  {
    rule: 'specReplicasPath is under .spec',
    with: scale({ specReplicasPath: '.status.size' }),
    refused: `${SCALE}.specReplicasPath`,
  },
  {
    rule: 'specReplicasPath has no array notation',
    with: scale({ specReplicasPath: '.spec.sizes[0]' }),
    refused: `${SCALE}.specReplicasPath`,
  },
  {
    rule: 'specReplicasPath is required',
    with: scale({ specReplicasPath: '' }),
    refused: `${SCALE}.specReplicasPath`,
  },
  {
    rule: 'statusReplicasPath is under .status',
    with: scale({ statusReplicasPath: '.spec.size' }),
    refused: `${SCALE}.statusReplicasPath`,
  },
  {
    rule: 'labelSelectorPath is under .spec or .status',
    with: scale({ labelSelectorPath: '.other' }),
    refused: `${SCALE}.labelSelectorPath`,
  },
];

const CONVERSIONS: readonly Rule[] = [
  {
    rule: 'strategy is None or Webhook',
    with: { spec: { conversion: { strategy: 'Magic' } } },
    refused: 'spec.conversion.strategy',
  },
  {
    rule: 'strategy is None by default',
    with: {},
    answers: [['spec', 'conversion', 'strategy'], 'None'],
  },
  {
    rule: 'the strategy Webhook needs a webhook',
    with: { spec: { conversion: { strategy: 'Webhook' } } },
    refused: 'spec.conversion.webhookClientConfig',
  },
  { rule: 'a client has a service or a URL: not none', with: webhook({}), refused: CLIENT },
  {
    rule: 'a client has a service or a URL: not both',
    with: webhook({ url: 'https://a.example', service: { namespace: 'a', name: 'b' } }),
    refused: CLIENT,
  },
  {
    rule: 'the URL is https',
    with: webhook({ url: 'http://a.example' }),
    refused: `${CLIENT}.url`,
  },
  {
    rule: 'the URL has no user',
    with: webhook({ url: 'https://u:p@a.example' }),
    refused: `${CLIENT}.url`,
  },
  {
    rule: 'the URL has no query',
    with: webhook({ url: 'https://a.example/?q' }),
    refused: `${CLIENT}.url`,
  },
  {
    rule: 'the URL has no fragment',
    with: webhook({ url: 'https://a.example/#f' }),
    refused: `${CLIENT}.url`,
  },
  {
    rule: 'the port of a service is 1 to 65535',
    with: webhook({ service: { namespace: 'a', name: 'b', port: 65536 } }),
    refused: `${CLIENT}.service.port`,
  },
  {
    rule: 'the port of a service is 443 by default',
    with: webhook({ service: { namespace: 'a', name: 'b' } }),
    answers: [['spec', 'conversion', 'webhook', 'clientConfig', 'service', 'port'], 443],
  },
];

const CHANGES: readonly Rule[] = [
  {
    rule: 'a stored version stays',
    with: version({ name: 'v2' }),
    update: 'object',
    refused: 'status.storedVersions[0]',
  },
  {
    rule: 'scope stays when objects are served',
    with: { spec: { scope: 'Cluster' } },
    update: 'object',
    refused: 'spec.scope',
  },
  {
    rule: 'kind stays when objects are served',
    with: { spec: { names: { kind: 'Other' } } },
    update: 'object',
    refused: 'spec.names.kind',
  },
];

const config = (change: JsonObject): JsonObject => ({
  spec: { config: [{ opaque: { driver: 'gpu.example.com', parameters: { a: 1 }, ...change } }] },
});

/** Document 3, sections 2.1 and 2.2. */
export const EXTENSION_RULES = {
  CustomResourceDefinition: [
    ...NAMES,
    ...VERSIONS,
    ...CONVERSIONS,
    ...SCHEMA_RULES,
    ...VALIDATION_RULES,
    ...CHANGES,
  ],
  DeviceClass: [
    {
      rule: 'a driver is a DNS subdomain',
      with: config({ driver: 'Not_A_Driver' }),
      refused: 'spec.config[0].opaque.driver',
    },
    {
      rule: 'a driver is required',
      with: config({ driver: '' }),
      refused: 'spec.config[0].opaque.driver',
    },
    {
      rule: 'parameters are required',
      with: config({ parameters: null }),
      refused: 'spec.config[0].opaque.parameters',
    },
    {
      rule: 'parameters have at most 10 Ki',
      with: config({ parameters: { a: 'x'.repeat(10 * 1024) } }),
      refused: 'spec.config[0].opaque.parameters',
    },
    {
      rule: 'a configuration has its parameters',
      with: { spec: { config: [{}] } },
      refused: 'spec.config[0].opaque',
    },
    {
      rule: 'exactly one field of a selector is set',
      with: { spec: { selectors: [{}] } },
      refused: 'spec.selectors[0].cel',
    },
    {
      rule: 'a selector compiles',
      with: { spec: { selectors: [{ cel: { expression: 'device.unknown' } }] } },
      refused: 'spec.selectors[0].cel.expression',
    },
    {
      rule: 'a selector yields a boolean',
      with: { spec: { selectors: [{ cel: { expression: 'device.driver' } }] } },
      refused: 'spec.selectors[0].cel.expression',
    },
    {
      rule: 'an expression has at most 10 Ki',
      with: {
        spec: {
          selectors: [{ cel: { expression: `device.driver == "${'x'.repeat(10 * 1024)}"` } }],
        },
      },
      refused: 'spec.selectors[0].cel.expression',
    },
    {
      rule: 'cost is bounded',
      with: {
        spec: {
          selectors: [
            {
              cel: {
                expression: Array(3)
                  .fill(
                    'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, true))))',
                  )
                  .join(' && '),
              },
            },
          ],
        },
      },
      refused: 'spec.selectors[0].cel.expression',
    },
    {
      rule: 'cel.bind is there',
      with: {
        spec: {
          selectors: [
            { cel: { expression: 'cel.bind(d, device.attributes["a.example"], has(d.model))' } },
          ],
        },
      },
      answers: [['metadata', 'generation'], 1],
    },
    {
      rule: 'extendedResourceName is a resource name',
      with: { spec: { extendedResourceName: 'gpu' } },
      refused: 'spec.extendedResourceName',
    },
    {
      rule: 'a change of the spec counts',
      with: { spec: { selectors: null } },
      update: 'object',
      answers: [['metadata', 'generation'], 2],
    },
  ],
} satisfies Rules;
