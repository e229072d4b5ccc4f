import { gitVersion, PLINTH_VERSION } from '../../discovery/version.ts';
import type { OperatorCommand } from './command.ts';

export const versionCommand: OperatorCommand = {
  name: 'version',
  description: 'Prints the version of the program and of the API, as --version does.',
  options: (command) => command,
  run: (_options, write) => {
    write(`plinth ${PLINTH_VERSION} (API ${gitVersion()}, node ${process.version})\n`);
    return Promise.resolve();
  },
};
