import { counted } from './numbers.ts';

const UNITS = ['KiB', 'MiB', 'GiB'];

/** A size for people: `12 bytes`, `1.5 KiB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, 'byte');
  const power = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1_024 ** power;
  return `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${UNITS[power - 1] ?? ''}`;
}
