import { readFileSync } from 'node:fs';
import {
  parseAuthenticationConfiguration,
  type AuthenticationConfiguration,
} from './jwt/configuration.ts';

/** @throws Error that names file and field */
export function readAuthenticationConfiguration(file: string): AuthenticationConfiguration {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
  try {
    return parseAuthenticationConfiguration(text);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
