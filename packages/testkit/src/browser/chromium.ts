import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

// Its names in distributions. Debian's headless shell renders the same for less than half the CPU.
const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The Chromium of this machine: the one CHANCELA_CHROMIUM names, or the first on the path. */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string {
  const named = environment.CHANCELA_CHROMIUM
  if (named) {
    if (isProgram(named)) return named
    throw new Error(`CHANCELA_CHROMIUM names ${named}, which cannot be run.`)
  }
  const folders = (environment.PATH ?? '').split(delimiter)
  const found = programs.flatMap((program) => folders.map((folder) => join(folder, program))).find(isProgram)
  if (found) return found
  throw new Error(
    'Chromium is not installed. Install it with "apt-get install chromium-headless-shell", or set CHANCELA_CHROMIUM to its program.',
  )
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // absent or not executable: try the next
  }
}
