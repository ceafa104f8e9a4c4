import { execFile } from 'node:child_process'
import { SECOND } from '@chancela/service-kernel/clock'

export type Environment = Readonly<Record<string, string | undefined>>

/** What programs need to show a window. */
const WANTED = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_CURRENT_DESKTOP', 'XDG_SESSION_TYPE']

/**
 * The environment with what the desktop has told the user's systemd. A unit may have been started before the desktop, or
 * outlived it: what it was started with does not count.
 */
export const withDesktop = (environment: Environment): Promise<Environment> =>
  new Promise((resolve) => {
    execFile('systemctl', ['--user', 'show-environment'], { timeout: 2 * SECOND }, (error, text) =>
      resolve(error ? environment : { ...environment, ...desktopIn(text) }),
    )
  })

/** Lines like `DISPLAY=:0`; a value that the shell would have to have quoted is of no display. */
export const desktopIn = (text: string): Environment =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.split(/=(.*)/, 2) as [string, string])
      .filter(([name, value]) => WANTED.includes(name) && value && !value.startsWith('$')),
  )
