// `npm run prove:faults`: the whole suite under load, with disks, database, stores, authorities and clock that fail.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bundlePages } from './steps/bundle-pages.mjs'
import { ensureInstalled } from './steps/install.mjs'
import { requireNode } from './steps/node-version.mjs'
import { passThrough, root } from './steps/run-command.mjs'
import { Hindrance, runScript } from './steps/say.mjs'
import { ensureSystemTools } from './steps/system-tools.mjs'
import { transpile } from './steps/transpile.mjs'

/** The suite gets small disks and a list of hosts of its own, in a namespace of its own. */
const mounting = ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']

await runScript(async () => {
  requireNode()
  await ensureInstalled('everything')
  await ensureSystemTools(['faketime', 'prlimit', 'sqlite3'])
  if (spawnSync('unshare', mounting).status !== 0)
    throw new Hindrance(
      'A process may not mount a disk of its own here (unshare): run it as root, or on another machine.',
    )
  await Promise.all([bundlePages(root), transpile(root)])
  const source = ['--conditions=chancela-source', '--import', 'tsx']
  const program = new URL('../apps/demo/test/prove-faults/prove.ts', import.meta.url)
  return passThrough(process.execPath, [...source, fileURLToPath(program), ...process.argv.slice(2)])
})
