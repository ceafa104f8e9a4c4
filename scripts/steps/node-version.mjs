import { readFileSync } from 'node:fs'
import { Hindrance } from './say.mjs'

/** The floor is the one package.json declares; asked here because npm only warns. */
export function requireNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const floor = engines.node.replace('>=', '').split('.').map(Number)
  const here = process.versions.node.split('.').map(Number)
  const older = here[0] < floor[0] || (here[0] === floor[0] && here[1] < floor[1])
  if (older) throw new Hindrance(`Chancela needs Node ${engines.node}; this is ${process.versions.node}.`)
}
