import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** The runtime imports of a file, as written there. Type imports are gone by then. */
function importsOf(path: string, source: string): readonly string[] {
  const { module, program } = parseSync(path, source)
  const types = new Set(program.body.filter(isOfTypesOnly).map(({ start }) => start))
  const declared = module.staticImports.filter(({ start }) => !types.has(start)).map((one) => one.moduleRequest.value)
  const passedOn = module.staticExports
    .filter(({ start }) => !types.has(start))
    .flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? []))
  return [...new Set([...declared, ...passedOn, ...dynamicImports(source)])]
}

function isOfTypesOnly(statement: { type: string; importKind?: unknown; exportKind?: unknown }): boolean {
  return statement.importKind === 'type' || statement.exportKind === 'type'
}

const dynamicImports = (source: string) => [...source.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, name]) => name!)

/** The files of a package and the files each one loads; imports of its own name go through its exports. */
export class ImportGraph {
  readonly #root: string
  readonly #imports: ReadonlyMap<string, readonly string[]>
  readonly #own: ReadonlyMap<string, string>
  readonly #reach = new Map<string, ReadonlyMap<string, number>>()

  /** @param folder of the package, relative to the root like every path in here */
  constructor(root: string, folder: string, files: readonly string[]) {
    this.#root = root
    this.#own = exportsOf(root, folder)
    this.#imports = new Map(files.map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'))]))
  }

  importsOf(file: string): readonly string[] {
    return this.#imports.get(file) ?? []
  }

  /** Every file that one loads, itself included, and its distance in imports. */
  reachOf(file: string): ReadonlyMap<string, number> {
    const known = this.#reach.get(file) ?? this.#walkedFrom(file)
    this.#reach.set(file, known)
    return known
  }

  #walkedFrom(file: string): ReadonlyMap<string, number> {
    const steps = new Map([[file, 0]])
    for (const [from, distance] of steps) {
      for (const next of this.#loadedBy(from)) if (!steps.has(next)) steps.set(next, distance + 1)
    }
    return steps
  }

  #loadedBy(file: string): string[] {
    return this.importsOf(file).flatMap((name) => this.#resolved(file, name) ?? [])
  }

  #resolved(file: string, name: string): string | undefined {
    const path = name.startsWith('.') ? join(dirname(file), name) : this.#own.get(name)
    return path !== undefined && (this.#imports.has(path) || existsSync(join(this.#root, path))) ? path : undefined
  }
}

function exportsOf(root: string, folder: string): ReadonlyMap<string, string> {
  const manifest = join(root, folder, 'package.json')
  if (!existsSync(manifest)) return new Map()
  const { name, exports = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
  return new Map(
    Object.entries<{ 'chancela-source'?: string }>(exports).flatMap(([door, targets]) => {
      const source = targets['chancela-source']
      return source === undefined ? [] : [[join(name, door), join(folder, source)] as const]
    }),
  )
}
