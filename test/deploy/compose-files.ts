import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

export const ROOT = resolve(import.meta.dirname, '../..');
export const COMPOSE_FILES = ['docker-compose.yml', 'deploy/docker-compose.ha.yml'] as const;

/** The services of a compose file, with what they share merged in. */
export function servicesOf(file: string): Record<string, any> {
  return parse(readFileSync(resolve(ROOT, file), 'utf8'), { merge: true }).services;
}
