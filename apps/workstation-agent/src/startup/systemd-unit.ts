import type { StartupEntry } from './entry.ts'

/** The unit of a user's own systemd. It starts the agent again however it ends, and never gives up. */
export const systemdUnit = ({ watched }: StartupEntry): string => `[Unit]
Description=Chancela workstation agent
StartLimitIntervalSec=0

[Service]
ExecStart=/bin/sh -c ${quoted('exec "$0" "$@"')} ${watched.map(quoted).join(' ')}
Restart=always
RestartSec=15
TimeoutStopSec=30

[Install]
WantedBy=default.target
`

/**
 * A word of a command line, systemd.service(5) "Command lines": `%` begins a specifier, `$` a variable. The program is
 * no first word, for which other rules hold: systemd takes none with a quote or a backslash in it.
 */
const quoted = (word: string): string =>
  `"${word.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`
