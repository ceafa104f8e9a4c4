import type { StartupEntry } from './entry.ts'

/** What a desktop starts when its user logs in, where there is no systemd of the user: freedesktop.org autostart. */
export const desktopEntry = ({ alone }: StartupEntry): string => `[Desktop Entry]
Type=Application
Name=Chancela
Comment=Certificates of this machine for signatures
Exec=${stringValue(['/bin/sh', '-c', 'exec "$0" "$@"', ...alone].map(quoted).join(' '))}
Terminal=false
NoDisplay=true
X-GNOME-Autostart-enabled=true
`

/**
 * A word of the key Exec, Desktop Entry Specification "The Exec key". The program is no first word: desktops look for
 * that one as it is written, with `%` doubled.
 */
const quoted = (word: string): string => `"${word.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`

/** What any text of the file is besides. */
const stringValue = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
