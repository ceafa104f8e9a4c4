import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run-command.mjs'

/** They decide where imports of our packages resolve, which the importing files do not show. */
const manifests = ['packages', 'services', 'apps', '.']
  .flatMap((floor) => readdirSync(join(root, floor)).map((room) => join(root, floor, room, 'package.json')))
  .filter((path) => existsSync(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join()

const key = () => manifests

/** What was transformed is kept by what it was made of; Vitest's own key has the file and the configuration.
 * @type {import('vitest/config').Plugin} */
export const manifestsInKey = {
  name: 'chancela-manifests',
  configureVitest: ({ experimental_defineCacheKeyGenerator: addToKey }) => addToKey(key),
}
