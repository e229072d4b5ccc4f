import { isDate, isDateTime } from '../../api/date-formats.ts';
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '../../api/names.ts';
import { nameIsDns1035Label, nameIsDnsLabel, nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { constantEstimate } from '../cost/estimators.ts';
import { declareFunction, globalOverload, memberOverload } from '../types/declaration.ts';
import { listType, optionalType, STRING, structType, type Typed } from '../value/type.ts';
import { ArrayList } from '../value/list.ts';
import { REGEX_COST, sizeOf, STRING_COST } from '../value/size.ts';
import { CelObject, CelOptional, type CelValue } from '../value/value.ts';
import type { Library } from './library.ts';
import { parseRequestUri, UrlError } from './url-parse.ts';

const FORMAT_TYPE: Typed<CelFormat> = structType('kubernetes.NamedFormat');

/** What is wrong with a text; nothing when it has the format. */
type Check = (text: string) => readonly string[];

class CelFormat extends CelObject {
  override readonly type = FORMAT_TYPE;
  readonly name: string;
  readonly check: Check;
  /** Length of the pattern that the check is charged like. */
  readonly patternSize: number;

  constructor(name: string, check: Check, patternSize: number) {
    super();
    this.name = name;
    this.check = check;
    this.patternSize = patternSize;
  }

  override equals(other: CelValue): boolean {
    return other instanceof CelFormat && this.name === other.name;
  }
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID_PATTERN_SIZE = 82;
const TIME_PATTERN_SIZE = 75;
const URL_PATTERN_SIZE = 1_103;
const BASE64_PATTERN_SIZE = 84;
/** The estimate does not know which format it will be. */
const MAX_PATTERN_SIZE = 128;

function uri(text: string): readonly string[] {
  try {
    parseRequestUri(text);
    return [];
  } catch (error) {
    if (error instanceof UrlError) return [`parse ${JSON.stringify(text)}: ${error.message}`];
    throw error;
  }
}

function unless(valid: boolean, message: string): readonly string[] {
  return valid ? [] : [message];
}

/** With its padding, which other readers of base64 may do without. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

const FORMATS: ReadonlyMap<string, CelFormat> = new Map(
  (
    [
      ['dns1123Label', 'DNS1123Label', dns1123LabelErrors, 30],
      ['dns1123Subdomain', 'DNS1123Subdomain', dns1123SubdomainErrors, 60],
      ['dns1035Label', 'DNS1035Label', dns1035LabelErrors, 30],
      ['qualifiedName', 'QualifiedName', qualifiedNameErrors, 60],
      ['dns1123LabelPrefix', 'DNS1123LabelPrefix', (s) => nameIsDnsLabel(s, true), 30],
      ['dns1123SubdomainPrefix', 'DNS1123SubdomainPrefix', (s) => nameIsDnsSubdomain(s, true), 60],
      ['dns1035LabelPrefix', 'DNS1035LabelPrefix', (s) => nameIsDns1035Label(s, true), 30],
      ['labelValue', 'LabelValue', labelValueErrors, 40],
      ['uri', 'URI', uri, URL_PATTERN_SIZE],
      [
        'uuid',
        'uuid',
        (s) => unless(UUID.test(s), 'does not match the UUID format'),
        UUID_PATTERN_SIZE,
      ],
      ['byte', 'byte', (s) => unless(isBase64(s), 'invalid base64'), BASE64_PATTERN_SIZE],
      ['date', 'date', (s) => unless(isDate(s), 'invalid date'), TIME_PATTERN_SIZE],
      ['datetime', 'datetime', (s) => unless(isDateTime(s), 'invalid datetime'), TIME_PATTERN_SIZE],
    ] satisfies [string, string, Check, number][]
  ).map(([key, name, check, size]) => [key, new CelFormat(name, check, size)]),
);

function validate(format: CelFormat, text: string): CelValue {
  const problems = format.check(text);
  return problems.length === 0 ? CelOptional.none : CelOptional.of(new ArrayList(problems));
}

/** Formats by name, such as `format.dns1123Label()`, and checking text against them. */
export const NAMED_FORMATS_LIBRARY: Library = {
  functions: [
    ...Array.from(FORMATS, ([name, format]) =>
      declareFunction(
        `format.${name}`,
        globalOverload(`format.${name}`, [], FORMAT_TYPE, () => format),
      ),
    ),
    declareFunction(
      'format.named',
      globalOverload(
        'format-named',
        [STRING],
        optionalType(FORMAT_TYPE),
        (name) => {
          const format = FORMATS.get(name);
          return format === undefined ? CelOptional.none : CelOptional.of(format);
        },
        { estimate: constantEstimate },
      ),
    ),
    declareFunction(
      'validate',
      memberOverload(
        'format-validate',
        [FORMAT_TYPE, STRING],
        optionalType(listType(STRING)),
        validate,
        {
          cost: (format, text) =>
            Math.ceil((1 + sizeOf(text)) * STRING_COST) *
            Math.ceil(format.patternSize * REGEX_COST),
          estimate: ({ args: [text], sizeOf: size }) =>
            text === undefined
              ? undefined
              : {
                  cost: size(text)
                    .scale(STRING_COST)
                    .scale(MAX_PATTERN_SIZE * REGEX_COST),
                },
        },
      ),
    ),
  ],
};
