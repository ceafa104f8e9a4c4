import { spawn } from 'node:child_process'
import { SECOND } from '@chancela/service-kernel/clock'
import { type Environment, withDesktop } from './desktop-environment.ts'

/** Opens an address for the user; resolves with whether that worked. */
export type OpenBrowser = (url: string) => Promise<boolean>

interface Opener {
  readonly command: string
  readonly args: readonly string[]
}

const openers: Readonly<Record<string, Opener>> = {
  darwin: { command: 'open', args: [] },
  win32: { command: 'rundll32', args: ['url.dll,FileProtocolHandler'] },
}

const elsewhere: Opener = { command: 'xdg-open', args: [] }

/** Opens the desktop's browser, or the configured program. */
export function desktopBrowser(named?: string, environment: Environment = process.env): OpenBrowser {
  const { platform } = process
  const opener = named === undefined ? (openers[platform] ?? elsewhere) : { command: named, args: [] }
  const needsNoDisplay = named !== undefined || platform in openers
  return async (url) => {
    const desktop = needsNoDisplay || isGraphical(environment) ? environment : await withDesktop(environment)
    return (needsNoDisplay || isGraphical(desktop)) && started(opener, url, desktop)
  }
}

const isGraphical = ({ DISPLAY, WAYLAND_DISPLAY }: Environment): boolean => Boolean(DISPLAY || WAYLAND_DISPLAY)

/** A program that still runs after this time has opened its window. */
const PATIENCE = 5 * SECOND

function started({ command, args }: Opener, url: string, env: Environment): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, env })
    const timer = setTimeout(() => resolve(true), PATIENCE).unref()
    child.once('error', () => resolve(false))
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
    child.unref()
  })
}
