import { writeFileSync } from 'node:fs';
import { configurationReference } from './configuration.ts';

writeFileSync('docs/configuration.md', configurationReference());
