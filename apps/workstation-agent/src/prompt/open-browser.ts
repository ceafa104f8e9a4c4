import { spawn } from 'node:child_process'
import { SECOND } from '@chancela/service-kernel/clock'

/** Opens an address for the user; resolves with whether that worked. */
export type OpenBrowser = (url: string) => Promise<boolean>

interface Opener {
  readonly command: string
  readonly args: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const openers: Readonly<Record<string, Opener>> = {
  darwin: { command: 'open', args: [] },
  win32: { command: 'rundll32', args: ['url.dll,FileProtocolHandler'] },
}

const elsewhere: Opener = { command: 'xdg-open', args: [] }

/** Opens the desktop's browser, or the configured program. */
export function desktopBrowser(named?: string, environment: Environment = process.env): OpenBrowser {
  const { platform } = process
  const opener = named === undefined ? (openers[platform] ?? elsewhere) : { command: named, args: [] }
  const hasDesktop = named !== undefined || platform in openers || isGraphical(environment)
  return (url) => (hasDesktop ? started(opener, url) : Promise.resolve(false))
}

const isGraphical = ({ DISPLAY, WAYLAND_DISPLAY }: Environment): boolean => Boolean(DISPLAY || WAYLAND_DISPLAY)

/** A program that still runs after this time has opened its window. */
const PATIENCE = 5 * SECOND

function started({ command, args }: Opener, url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    const timer = setTimeout(() => resolve(true), PATIENCE).unref()
    child.once('error', () => resolve(false))
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
    child.unref()
  })
}
