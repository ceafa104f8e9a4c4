// `npm run prove:published`: what is known here of policies, authorities, public clients and layouts of documents, held
// against what others published of them. Those files stand beside the repository and are no part of it.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { Hindrance, runScript } from './steps/say.mjs'

const places = ['icp-brasil', 'facts', 'xsd'].map((name) =>
  fileURLToPath(new URL(`../../shared/${name}`, import.meta.url)),
)

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  const missing = places.filter((place) => !existsSync(place))
  if (missing.length > 0) throw new Hindrance(`There is nothing to compare with: ${missing.join(', ')}.`)
  return passThrough('npx', ['vitest', 'run', '--project', 'proofs', 'prove-published'])
})
