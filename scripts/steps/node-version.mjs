import { readFileSync } from 'node:fs'
import { Hindrance } from './say.mjs'

/** The minimum is the one in package.json; checked here because npm only warns. */
export function requireNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const [major = 0, minor = 0] = engines.node.replace('>=', '').split('.').map(Number)
  const [ourMajor = 0, ourMinor = 0] = process.versions.node.split('.').map(Number)
  const older = ourMajor < major || (ourMajor === major && ourMinor < minor)
  if (older) throw new Hindrance(`Chancela needs Node ${engines.node}; this is ${process.versions.node}.`)
}
