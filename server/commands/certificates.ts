import { systemClock } from '../../api/clock.ts';
import { commaList } from '../../config/parsers.ts';
import { textOf, type OperatorCommand } from './command.ts';

export const certificatesCommand: OperatorCommand = {
  name: 'certificates',
  description:
    'Creates the certificates and keys of an installation: two authorities, certificates of etcd and of the servers, client certificates of the servers, of Prometheus and of the administrator, a key for tokens of service accounts, and a kubeconfig of the administrator. Valid files are kept; run the command again before certificates expire.',
  options: (command) =>
    command
      .requiredOption('--dir <dir>', 'directory of the files')
      .option(
        '--etcd-hosts <names>',
        'comma-separated names and addresses of the etcd members',
        'etcd',
      )
      .option(
        '--server-hosts <names>',
        'comma-separated names and addresses of the servers',
        'plinth',
      )
      .option('--url <url>', 'URL of the servers in the kubeconfig', 'https://127.0.0.1:6443')
      .option(
        '--separate',
        'also writes one directory per process into --dir, with only the files that the process needs: etcd, server, prometheus, grafana (a random password)',
      )
      .option(
        '--replace-signing-key',
        'replaces the key for tokens of service accounts; tokens of the previous key are accepted until the next replacement',
      ),
  run: async (options, write) => {
    const { writeInstallation } = await import('../../access/pki/installation.ts');
    const dir = textOf(options, 'dir');
    await writeInstallation(dir, {
      etcdHosts: commaList(textOf(options, 'etcdHosts')),
      serverHosts: commaList(textOf(options, 'serverHosts')),
      url: textOf(options, 'url'),
      separate: options['separate'] === true,
      replaceSigningKey: options['replaceSigningKey'] === true,
      now: systemClock.now(),
    });
    write(`Certificates and admin.kubeconfig are in ${dir}.\n`);
  },
};
