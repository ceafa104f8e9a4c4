// The workstation agent in one file, from the sources: third-party packages included, native code beside it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hindrance } from './say.mjs'

const agent = 'apps/workstation-agent'
const keys = 'packages/signature-engine/src/keys'

/** Programs of threads, by the name they are started by. */
const threads = {
  'pkcs12-worker.cjs': `${keys}/pkcs12/pkcs12-worker.ts`,
  'digest-worker.cjs': `${keys}/known-digest/digest-worker.ts`,
}

/** What the package's manifest says, read at run time from a file that a package does not have. */
const VERSION = /JSON\.parse\(readFileSync\(.+\)\)\.version/

/**
 * The program, the files it carries, and the third-party packages that are in it.
 * @param {string} root
 */
export async function bundleAgent(root) {
  const program = await bundled(root, `${agent}/src/packaged/main.ts`)
  const assets = await Promise.all(
    Object.entries(threads).map(async ([name, source]) => /** @type {const} */ ([name, await bundled(root, source)])),
  )
  return {
    version: versionOf(root),
    program: program.code,
    threads: Object.fromEntries(assets.map(([name, { code }]) => [name, code])),
    packages: [...new Set([program, ...assets.map(([, one]) => one)].flatMap(({ packages }) => packages))].sort(),
  }
}

/**
 * The native part of pkcs11js for this machine; undefined where its install found no compiler.
 * @param {string} root
 */
export function addonHere(root) {
  const addon = join(root, 'node_modules/pkcs11js/build/Release/pkcs11.node')
  return existsSync(addon) ? addon : undefined
}

/** What Node tells developers is nothing a holder can do something about; it begins with the first `require`. */
const QUIET = "process.removeAllListeners('warning')"

/** @param {string} root @param {string} source */
async function bundled(root, source) {
  // Imported here: it is not there before the install.
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: join(root, source),
    cwd: root,
    platform: 'node',
    tsconfig: false,
    resolve: { conditionNames: ['chancela-source', 'node'] },
    plugins: [standIns(root)],
    onLog: heedWarnings,
  })
  const { output } = await bundle.generate({ format: 'cjs', codeSplitting: false, banner: QUIET })
  await bundle.close()
  const [{ code, modules }] = output
  return { code, packages: Object.keys(modules).flatMap(packageOf) }
}

/** Modules that find files beside themselves; in a package there are none.
 * @param {string} root @returns {import('rolldown').Plugin} */
const standIns = (root) => ({
  name: 'stand-ins',
  resolveId(source, importer) {
    if (source.endsWith('/pkcs11.node')) return '\0addon'
    const isThreadStart = source.endsWith('/start-thread.ts') && importer?.startsWith(join(root, keys))
    return isThreadStart ? join(root, agent, 'src/packaged/start-thread.ts') : undefined
  },
  load(id) {
    const addon = JSON.stringify(join(root, agent, 'src/packaged/addon.ts'))
    return id === '\0addon' ? { code: `module.exports = require(${addon}).loadAddon()`, moduleType: 'js' } : undefined
  },
  transform(code, id) {
    if (id !== join(root, agent, 'src/version.ts')) return undefined
    if (!VERSION.test(code)) throw new Hindrance(`${id} no longer reads its version as scripts/steps expects.`)
    return code.replace(VERSION, JSON.stringify(versionOf(root)))
  },
})

/** @param {string} root @returns {string} */
const versionOf = (root) => JSON.parse(readFileSync(join(root, agent, 'package.json'), 'utf8')).version

/** What looks for the loader of the tools, in tests and development, is never called in a package.
 * @type {NonNullable<import('rolldown').InputOptions['onLog']>} */
const heedWarnings = (level, log) => {
  if (level === 'warn' && log.code !== 'EMPTY_IMPORT_META') throw new Hindrance(`The agent: ${log.message}`)
}

/** @param {string} module */
const packageOf = (module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.slice(0, 1) ?? []
