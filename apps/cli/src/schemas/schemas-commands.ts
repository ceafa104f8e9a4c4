import { type DocumentKind, judge, type LayoutVerdict, type LayoutVersion } from '@chancela/academic-documents/layouts'
import {
  kindsOf,
  SchemaProblem,
  SecondJudge,
  type SecondVerdict,
  schemaFiles,
  schemaVersions,
} from '@chancela/academic-documents/schemas'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { CommandContext } from '../command-context.ts'
import { exitCodes, leaveWith } from '../signatures/exit-codes.ts'
import { inputFiles, isFolder, readInput } from '../signatures/files.ts'
import { textTable } from '../text-table.ts'
import { keepFiles, keptFiles, keptVersions, readSchemaFiles, type SchemaFolderOptions } from './schema-store.ts'

type Json = { readonly json?: boolean }

/** `chancela schemas import`: only files that form a schema are taken in, a version as a whole. */
export async function importSchemas(
  context: CommandContext,
  folder: string,
  options: SchemaFolderOptions,
): Promise<void> {
  if (!(await isFolder(folder))) throw new StartupProblem(`There is no folder ${folder}.`)
  let imported = 0
  for (const version of schemaVersions) {
    const files = await readSchemaFiles(folder, version)
    if (files.size === 0 || isOnlyShared(files, version)) continue
    compileAll(version, files)
    await keepFiles(options, version, files)
    context.print(`Layout ${version}: ${files.size} files, ${kindsOf(version).length} kinds of documents.`)
    imported++
  }
  if (imported === 0) throw new StartupProblem(`There are no schema files of a known layout in ${folder}.`)
}

/** The file of XML signatures is the same in every version and says nothing of one. */
const isOnlyShared = (files: ReadonlyMap<string, unknown>, version: LayoutVersion): boolean =>
  [...files.keys()].every((name) => !name.includes(`_v${version}.`))

function compileAll(version: LayoutVersion, files: ReadonlyMap<string, Uint8Array>): void {
  try {
    const second = new SecondJudge(version, files)
    for (const kind of kindsOf(version)) second.compile(kind)
    second.dispose()
  } catch (error) {
    if (error instanceof SchemaProblem) throw new StartupProblem(`${error.message} Nothing was changed.`)
    throw error
  }
}

/** `chancela schemas list` */
export async function listSchemas(context: CommandContext, options: SchemaFolderOptions & Json): Promise<void> {
  const kept = new Set(await keptVersions(options))
  const rows = schemaVersions.map((version) => ({
    version,
    kinds: kindsOf(version),
    files: schemaFiles(version).length,
    added: kept.has(version),
  }))
  if (options.json) context.print(JSON.stringify(rows, null, 2))
  else
    context.print(
      textTable(
        ['layout', 'official files', 'kinds'],
        rows.map(({ version, added, kinds }) => [version, added ? 'added' : 'not added', kinds.join(', ')]),
      ),
    )
}

interface CheckOptions extends SchemaFolderOptions, Json {
  readonly beforeSigning?: boolean
}

interface CheckedFile {
  readonly file: string
  readonly tables: LayoutVerdict
  /** Absent where the official files are not there, or signatures are still to come. */
  readonly schemas?: SecondVerdict
}

/** `chancela schemas check`: both verdicts, file by file. */
export async function checkDocuments(
  context: CommandContext,
  paths: readonly string[],
  options: CheckOptions,
): Promise<void> {
  const judges = new SecondJudges(options)
  const checked: CheckedFile[] = []
  for (const { path } of await inputFiles(paths)) checked.push(await checkFile(path, options, judges))
  if (options.json) context.print(JSON.stringify(checked, null, 2))
  else for (const file of checked) context.print(described(file))
  const isGood = checked.every(({ tables, schemas }) => tables.valid && (schemas?.valid ?? true))
  leaveWith(isGood ? exitCodes.done : exitCodes.failed)
}

async function checkFile(path: string, options: CheckOptions, judges: SecondJudges): Promise<CheckedFile> {
  const bytes = await readInput(path)
  const tables = judge(bytes, { beforeSigning: options.beforeSigning ?? false })
  const { kind, version } = tables
  if (kind === undefined || version === undefined || options.beforeSigning) return { file: path, tables }
  const second = await judges.of(version)
  return second === undefined ? { file: path, tables } : { file: path, tables, schemas: second.verdict(bytes, kind) }
}

/** One judge per version, made when the first document of it comes. */
class SecondJudges {
  readonly #options: SchemaFolderOptions
  readonly #judges = new Map<LayoutVersion, SecondJudge | undefined>()

  constructor(options: SchemaFolderOptions) {
    this.#options = options
  }

  async of(version: LayoutVersion): Promise<SecondJudge | undefined> {
    if (!this.#judges.has(version)) this.#judges.set(version, await this.#made(version))
    return this.#judges.get(version)
  }

  async #made(version: LayoutVersion): Promise<SecondJudge | undefined> {
    const files = await keptFiles(this.#options, version)
    return files.size === schemaFiles(version).length ? new SecondJudge(version, files) : undefined
  }
}

const kindNames: Readonly<Record<DocumentKind, string>> = {
  academicDocumentation: 'academic documentation',
  degree: 'degree',
  academicTranscript: 'academic transcript',
  curriculum: 'curriculum',
  cancellationList: 'list of annulled degrees',
  inspectionFile: 'inspection file',
}

function described({ file, tables, schemas }: CheckedFile): string {
  const what = tables.kind === undefined ? 'no academic document' : `${kindNames[tables.kind]} ${tables.version}`
  const problems = tables.problems.map(({ line, path, en, pt }) => `  ${line ?? '-'}: ${path}\n     ${en}\n     ${pt}`)
  const official =
    schemas === undefined
      ? '  official schemas: not asked'
      : [
          `  official schemas: ${word(schemas.valid)}`,
          ...schemas.messages.map(({ line, message }) => `  ${line}: ${message}`),
        ].join('\n')
  return [`${file}: ${what}`, `  tables: ${word(tables.valid)}`, ...problems, official].join('\n')
}

const word = (valid: boolean): string => (valid ? 'valid' : 'INVALID')
