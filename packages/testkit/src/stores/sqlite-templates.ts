import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MigrationSet } from '@chancela/service-kernel/store'
import { migrateAt, nameOfSet } from './migrated-sets.ts'

/** One migrated, empty file per set and process. */
const templates = new Map<string, Promise<string>>()
let folder: string | undefined

/** Creates a migrated database at `file`. */
export async function copySqlite(set: MigrationSet, file: string): Promise<void> {
  const name = nameOfSet(set)
  const template = templates.get(name) ?? makeTemplate(name, set)
  templates.set(name, template)
  await copyFile(await template, file)
}

async function makeTemplate(name: string, set: MigrationSet): Promise<string> {
  const file = join(templateFolder(), `${name}.db`)
  await migrateAt(`sqlite:${file}`, set)
  return file
}

function templateFolder(): string {
  if (folder) return folder
  const made = mkdtempSync(join(tmpdir(), 'chancela-test-templates-'))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  folder = made
  return made
}
