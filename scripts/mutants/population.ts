import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ImportGraph } from './imports.ts'
import { changesOf, type PlacedChange } from './module-mutants.ts'

/** A change to one module of the project. */
export interface Mutant extends PlacedChange {
  readonly module: string
  readonly line: number
  readonly was: string
}

/** What a package can be measured with: its test files, and every mutant of its pure modules. */
export interface Population {
  readonly graph: ImportGraph
  readonly tests: readonly string[]
  readonly mutants: readonly Mutant[]
}

/** @param tests all that may be run */
export function populationOf(root: string, folder: string, tests: readonly string[]): Population {
  const files = sourcesUnder(root, folder)
  const graph = new ImportGraph(root, folder, files)
  const pure = files.filter((file) => isOurs(file) && graph.importsOf(file).every(isPureImport))
  return {
    graph,
    tests: tests.filter((file) => file.startsWith(`${folder}/`)),
    mutants: pure.flatMap((file) => mutantsOf(root, file)),
  }
}

const generated = new Set(['node_modules', 'dist', 'data'])

function sourcesUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return generated.has(entry.name) ? [] : sourcesUnder(root, path)
      return /(?<!\.d)\.tsx?$/.test(entry.name) ? [path] : []
    })
}

/** Modules of the package itself with logic; pages (.tsx) and I/O modules are left out. */
const isOurs = (file: string): boolean =>
  file.includes('/src/') &&
  file.endsWith('.ts') &&
  !/\.test\.ts$|\/generated\.ts$|\btexts\.ts$/.test(file) &&
  !/\/(store|routes|upstream|workers|texts|test-support)\//.test(file)

/** Disks, networks, processes, databases, web frameworks: larger tests cover what uses them. */
const worldly = [
  /^node:(fs|net|tls|dns|dgram|http|https|http2|child_process|worker_threads|cluster|readline|module|timers)\b/,
  /^(pg|kysely|fastify|undici|ws|pkcs11js|nodemailer|smtp-server|playwright-core|pino|openid-client|vitest)$/,
  /^(@fastify|@photostructure|@tanstack|@mantine)\//,
  /^(react|react-dom|react-i18next|lucide-react|pdfjs-dist)(\/|$)/,
  /^@chancela\/service-kernel\/(store|service|workers)$/,
  /^@chancela\/outbox\/queue$/,
  /\/(store|routes|upstream|workers)\//,
]

const isPureImport = (name: string): boolean => !worldly.some((pattern) => pattern.test(name))

function mutantsOf(root: string, module: string): Mutant[] {
  const source = readFileSync(join(root, module), 'utf8')
  return changesOf(module, source).map((change) => ({
    ...change,
    module,
    line: source.slice(0, change.start).split('\n').length,
    was: source.slice(change.start, change.end),
  }))
}
