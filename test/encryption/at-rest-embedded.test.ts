import { describeAtRest } from './at-rest.ts';

describeAtRest('embedded', () => Promise.resolve({ args: [] }));
