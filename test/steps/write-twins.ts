import { writeFileSync } from 'node:fs';
import { SOURCES, twinOf, twinPath } from './twins.ts';

for (const source of SOURCES) writeFileSync(twinPath(source), await twinOf(source));
