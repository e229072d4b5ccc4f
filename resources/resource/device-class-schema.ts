import { list, raw, string, struct, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';

const GROUP = 'io.cluster.resource.v1';

const DeviceSelector = struct(
  `${GROUP}.DeviceSelector`,
  {
    cel: use(
      struct(
        `${GROUP}.CELDeviceSelector`,
        {
          expression: string({
            required: true,
            description:
              'A CEL expression, at most 10 Ki long, that is evaluated for each device: true means that the device matches, false that it does not. Anything else is an error and ends the allocation. Bound is `device` with `driver`, `attributes[<prefix>].<name>`, `capacity[<prefix>].<name>` and `allowMultipleAllocations`. An unknown prefix gives an empty map; a field that is not there is an error, so test for it first. What one evaluation may cost is bounded.',
          }),
        },
        { numbers: { expression: 1 } },
      ),
      { pointer: true, description: 'Selects devices by an expression.' },
    ),
  },
  { description: 'Selects devices. Exactly one field is set.', numbers: { cel: 1 } },
);

const DeviceClassConfiguration = struct(
  `${GROUP}.DeviceClassConfiguration`,
  {
    opaque: use(
      struct(
        `${GROUP}.OpaqueDeviceConfiguration`,
        {
          driver: string({
            required: true,
            description:
              'The driver that the parameters are for: a DNS subdomain in lower case that ends in a domain of its vendor.',
          }),
          parameters: raw({
            required: true,
            description:
              'Data in a format of the driver, at most 10 Ki. By convention it tells its own kind and apiVersion.',
          }),
        },
        { numbers: { driver: 1, parameters: 2 } },
      ),
      { pointer: true, description: 'Parameters that only the driver understands.' },
    ),
  },
  { numbers: { opaque: [1, 1] } },
);

/** Source of the fields: specification 3, section 2.2. */
export const deviceClassSchema = kind(
  `${GROUP}.DeviceClass`,
  {
    spec: use(
      struct(
        `${GROUP}.DeviceClassSpec`,
        {
          selectors: list(DeviceSelector, {
            listType: 'atomic',
            description: 'What devices of the class must meet; all of them.',
          }),
          config: list(DeviceClassConfiguration, {
            listType: 'atomic',
            description:
              'Parameters for every device that is claimed through the class, each for one driver. They play no part in the allocation.',
          }),
          extendedResourceName: string({
            pointer: true,
            description:
              'Alpha. The extended resource that devices of the class provide, such as `example.com/gpu`. Should be unique: of two classes the one made later is used, or the one whose name sorts first.',
          }),
        },
        { numbers: { selectors: 1, config: 2, extendedResourceName: 4 } },
      ),
      {
        required: true,
        description:
          'What the class is. May change at any time; a change counts the generation on.',
      },
    ),
  },
  {
    description:
      'Alpha: needs the feature gate DynamicResourceAllocation. Selectors and parameters for devices, made by vendors or administrators and named by requests for devices.',
    numbers: { spec: 2 },
  },
);
