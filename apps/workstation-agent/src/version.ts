import { readFileSync } from 'node:fs'
import { arch, release } from 'node:os'

/** One version for the whole suite. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** The machine, as the console shows it. */
export const platform = `${process.platform} ${release()} ${arch()}`.slice(0, 100)
