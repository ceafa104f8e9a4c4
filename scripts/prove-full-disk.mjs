// `npm run prove:full-disk`: the document platform, the credential platform and the PKI core, each on a disk that fills up, and nothing lost; the batch signer says it.
import { spawnSync } from 'node:child_process'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough } from './steps/run-command.mjs'
import { Hindrance, runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'

/** How the test gives the service a small disk: a file system of its own, in a namespace of its own. */
const mounting = ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  await ensureSystemTools(['pdfsig'])
  if (spawnSync('unshare', mounting).status !== 0)
    throw new Hindrance(
      'A process may not mount a disk of its own here (unshare): run it as root, or on another machine.',
    )
  return passThrough('npx', ['vitest', 'run', '--project', 'proofs', 'prove-full-disk'])
})
