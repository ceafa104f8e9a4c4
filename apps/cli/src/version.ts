import { readFileSync } from 'node:fs'

/** One version for the whole suite: it is deployed as a whole. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
