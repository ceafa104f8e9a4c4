import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { API, type Diagnostic } from 'typescript/unstable/sync'

/** A mutation may leave something unused or unreachable; such compiler errors are no refusal. */
const leftovers = new Set([6133, 6192, 6196, 6198, 7027])

/** Checks which mutants the compiler refuses: nobody commits those, and no test has to find them. */
export class TypeJudge implements Disposable {
  readonly #root: string
  readonly #api: API
  #planted: { readonly path: string; readonly text: string } | undefined

  constructor(root: string) {
    this.#root = root
    const readFile = (path: string) => (path === this.#planted?.path ? this.#planted.text : undefined)
    this.#api = new API({ cwd: root, fs: { readFile } })
  }

  /** Whether the module compiles with this text instead of its own; what others make of it is not asked. */
  compiles(module: string, text: string): boolean {
    const path = join(this.#root, module)
    const changed = [this.#planted?.path ?? path, path]
    this.#planted = { path, text }
    for (const config of configsAbout(dirname(path))) {
      using snapshot = this.#api.updateSnapshot({ openProjects: [config], fileChanges: { changed } })
      const program = snapshot.getProject(config)?.program
      if (!program?.getSourceFile(path)) continue
      return [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)].every(isLeftover)
    }
    throw new Error(`${module} is part of no TypeScript project.`)
  }

  [Symbol.dispose](): void {
    this.#api.close()
  }
}

const isLeftover = ({ code }: Diagnostic): boolean => leftovers.has(code)

/** The nearest project, then those in the folders below it: a shared file belongs to each of those alone. */
function configsAbout(folder: string): readonly string[] {
  const nearest = nearestConfig(folder)
  const below = join(dirname(nearest), 'src')
  const others = existsSync(below) ? readdirSync(below).map((name) => join(below, name, 'tsconfig.json')) : []
  return [nearest, ...others.filter((path) => path !== nearest && existsSync(path))]
}

function nearestConfig(folder: string): string {
  const here = join(folder, 'tsconfig.json')
  if (existsSync(here)) return here
  if (dirname(folder) === folder) throw new Error('A module is outside every TypeScript project.')
  return nearestConfig(dirname(folder))
}
