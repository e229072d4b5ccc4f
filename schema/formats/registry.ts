import { isDate, isDateTime } from '../../api/date-formats.ts';
import type { SchemaType } from '../structure/structural.ts';
import {
  isBase64,
  isBsonObjectId,
  isCreditCard,
  isHexColor,
  isIsbn,
  isIsbn10,
  isIsbn13,
  isLongName,
  isRgbColor,
  isShortName,
  isSsn,
  isUuid,
  isUuid3,
  isUuid4,
  isUuid5,
} from './codes.ts';
import { isEmail } from './email.ts';
import { isCidr, isHostname, isIpv4, isIpv6, isMac } from './network.ts';
import { isDuration } from './times.ts';
import { isUri } from './uri.ts';

type FormatCheck = (text: string) => boolean;

/**
 * The formats of strings that are enforced, by their names without dashes:
 * `date-time` and `datetime` are the same. Source: specification 3, section
 * 2.1; behaviours 7.6.
 */
const STRING_FORMATS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', isBsonObjectId],
  ['byte', isBase64],
  ['cidr', isCidr],
  ['creditcard', isCreditCard],
  ['date', isDate],
  ['date-time', isDateTime], // the usual spelling, found without more ado
  ['datetime', isDateTime],
  ['duration', isDuration],
  ['email', isEmail],
  ['hexcolor', isHexColor],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['isbn', isIsbn],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['k8slongname', isLongName],
  ['k8sshortname', isShortName],
  ['mac', isMac],
  ['password', () => true],
  ['rgbcolor', isRgbColor],
  ['ssn', isSsn],
  ['uri', isUri],
  ['uuid', isUuid],
  ['uuid3', isUuid3],
  ['uuid4', isUuid4],
  ['uuid5', isUuid5],
]);

/** The check for texts of a format; undefined for a format that is not enforced. */
export function stringFormat(format: string): FormatCheck | undefined {
  return STRING_FORMATS.get(format) ?? STRING_FORMATS.get(format.replaceAll('-', ''));
}

/** Whether a schema of this type may have the format; others are ignored, with a warning. */
export function isKnownFormat(format: string, type: SchemaType | ''): boolean {
  switch (type) {
    case '':
    case 'string':
      return stringFormat(format) !== undefined;
    case 'integer':
      return format === 'int32' || format === 'int64';
    case 'number':
      return format === 'float' || format === 'double';
    default:
      return false;
  }
}
