import { fieldError, type FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import type { ApiObject } from '../../api/object.ts';
import type { Steps } from '../../api/steps.ts';
import { boolean, bytes, map, string } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import {
  dataSteps,
  entriesColumn,
  entriesOf,
  MAX_DATA_BYTES,
  validateFixed,
} from './data-rules.ts';

const schema = kind(
  'io.cluster.core.v1.ConfigMap',
  {
    data: map(string(), {
      description:
        'Texts by their keys, each a file name of at most 253 characters. A key is either here or in binaryData. All values together have at most 1 MiB.',
    }),
    binaryData: map(bytes(), {
      description: 'Values that are not texts, in base64, by keys like those of data.',
    }),
    immutable: boolean({
      pointer: true,
      description:
        'When true, the data never changes, and neither does this: the object can only be deleted.',
    }),
  },
  {
    description: 'Configuration for programs to read. For what is secret there is Secret.',
    numbers: { data: 2, binaryData: 3, immutable: 4 },
  },
);

/** Source: behaviours 9.19. */
function* validateSteps(object: ApiObject): Steps<FieldError[]> {
  const binaryData = entriesOf(object['binaryData']);
  const [data, path] = [entriesOf(object['data']), FieldPath.of('data')];
  const texts = yield* dataSteps(path, data, 'utf8', binaryData);
  const others = yield* dataSteps(FieldPath.of('binaryData'), binaryData, 'base64');
  const errors = [...texts.errors, ...others.errors];
  if (texts.bytes + others.bytes > MAX_DATA_BYTES) {
    errors.push(fieldError.tooLong(FieldPath.root, MAX_DATA_BYTES));
  }
  return errors;
}

/** Source: behaviours 9.0 and 9.19. */
export const configMapDefinition: ResourceDefinition = builtinDefinition({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  schema,
  strategy: {
    validateName: nameIsDnsSubdomain,
    createOnUpdate: false,
    unconditionalUpdate: true,
    validateUpdate: (object, old) => validateFixed(object, old, 'data', 'binaryData'),
    validateSteps,
  },
  columns: [
    nameColumn,
    entriesColumn('Data', 'How many values there are.', 'data', 'binaryData'),
    ageColumn,
  ],
});
