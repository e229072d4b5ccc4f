import { fieldError, type FieldError } from '../../api/field-error.ts';
import { invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { getPath, type JsonObject, type JsonValue } from '../../api/json.ts';
import { validateIp } from '../../api/ip-validation.ts';
import { dns1123SubdomainErrors, pathSegmentNameErrors } from '../../api/names.ts';
import { string, struct, use } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, textAt, textColumn } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import { validateImmutable } from '../immutable.ts';
import { validateMetadataFinalizers } from '../metadata-rules.ts';

type IpAddress = ValueOf<typeof schema>;

const ParentReferenceSchema = struct(
  'io.cluster.networking.v1.ParentReference',
  {
    group: string({ description: 'The group of the object; empty for the core group.' }),
    resource: string({
      required: true,
      omit: 'empty',
      description: 'The resource of the object, such as `services`.',
    }),
    namespace: string({ description: 'The namespace of the object, where it has one.' }),
    name: string({ required: true, omit: 'empty', description: 'The name of the object.' }),
  },
  {
    description: 'Names the object to which an address is attached.',
    numbers: { group: 1, resource: 2, namespace: 3, name: 4 },
  },
);

const schema = kind(
  'io.cluster.networking.v1.IPAddress',
  {
    spec: use(
      struct(
        'io.cluster.networking.v1.IPAddressSpec',
        {
          parentRef: use(ParentReferenceSchema, {
            required: true,
            pointer: true,
            omit: 'empty',
            description: 'The object to which the address is attached. Every address has one.',
          }),
        },
        { numbers: { parentRef: 1 } },
      ),
      { description: 'What the address is used for.' },
    ),
  },
  {
    description:
      'One allocated address. Its name is the address itself, in the canonical form: IPv4 as four decimals without leading zeros, IPv6 as RFC 5952 has it.',
    numbers: { spec: 2 },
  },
);

const PARENT = FieldPath.of('spec', 'parentRef');

/** Source: specification 1, section 2.4; behaviours 9.11. */
function validate(object: IpAddress): FieldError[] {
  const { parentRef } = object.spec;
  const errors = validateMetadataFinalizers(object.metadata);
  if (parentRef === undefined) return [...errors, fieldError.required(PARENT)];
  const { group = '', resource, namespace = '', name } = parentRef;
  if (group !== '') {
    errors.push(...invalidEach(PARENT.child('group'), group, dns1123SubdomainErrors(group)));
  }
  errors.push(...validateSegment(PARENT.child('resource'), resource));
  errors.push(...validateSegment(PARENT.child('name'), name));
  if (namespace !== '') {
    errors.push(
      ...invalidEach(PARENT.child('namespace'), namespace, pathSegmentNameErrors(namespace)),
    );
  }
  return errors;
}

function validateSegment(path: FieldPath, value = ''): FieldError[] {
  return value === ''
    ? [fieldError.required(path)]
    : invalidEach(path, value, pathSegmentNameErrors(value));
}

/** `services/web`, with the group behind the resource and the namespace before the name. */
function parentText(object: JsonObject): string {
  if (getPath(object, 'spec', 'parentRef') === undefined) return '<none>';
  const part = (name: string): string => textAt(object, 'spec', 'parentRef', name);
  const resource = part('group') === '' ? part('resource') : `${part('resource')}.${part('group')}`;
  return [resource, part('namespace'), part('name')].filter((text) => text !== '').join('/');
}

const parentOf = (object: IpAddress): JsonValue | undefined => object.spec.parentRef;

/** Source: specification 1, section 2.4; behaviours 9.0, 9.11 and 3.2. */
export const ipAddressDefinition: ResourceDefinition = builtinDefinition({
  group: 'networking.cluster.io',
  version: 'v1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  shortNames: ['ip'],
  namespaced: false,
  schema,
  strategy: {
    validateName: (name) => validateIp(FieldPath.root, name).map(({ detail }) => detail),
    generatesNames: false,
    createOnUpdate: false,
    unconditionalUpdate: true,
    validate,
    validateUpdate: (object, old) => [
      ...validate(object),
      ...validateImmutable(PARENT, parentOf(object), parentOf(old)),
    ],
  },
  columns: [
    nameColumn,
    textColumn('ParentRef', 'The object to which the address is attached.', parentText),
    ageColumn,
  ],
});
