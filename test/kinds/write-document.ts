import { writeFileSync } from 'node:fs';
import { resourcesDocument } from './document.ts';

writeFileSync('docs/resources.md', resourcesDocument());
