import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { LayoutVersion } from '@chancela/academic-documents/layouts'
import { schemaFiles, schemaVersions } from '@chancela/academic-documents/schemas'

export interface SchemaFolderOptions {
  readonly data: string
}

/** Where the official files are kept: one folder per version. */
const schemaFolder = ({ data }: SchemaFolderOptions): string => resolve(data, 'schemas')

export type SchemaFiles = ReadonlyMap<string, Uint8Array>

/** The files of a version that are in a folder, by name. */
export async function readSchemaFiles(folder: string, version: LayoutVersion): Promise<SchemaFiles> {
  const present = new Set(await namesIn(folder))
  const names = schemaFiles(version).filter((name) => present.has(name))
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const))
  return new Map(files)
}

export const keptFiles = (options: SchemaFolderOptions, version: LayoutVersion): Promise<SchemaFiles> =>
  readSchemaFiles(join(schemaFolder(options), version), version)

/** The versions that are complete. */
export async function keptVersions(options: SchemaFolderOptions): Promise<LayoutVersion[]> {
  const complete: LayoutVersion[] = []
  for (const version of schemaVersions)
    if ((await keptFiles(options, version)).size === schemaFiles(version).length) complete.push(version)
  return complete
}

/** Replaces a version as a whole: a program that reads meanwhile finds the old files or the new ones. */
export async function keepFiles(
  options: SchemaFolderOptions,
  version: LayoutVersion,
  files: SchemaFiles,
): Promise<void> {
  const target = join(schemaFolder(options), version)
  const fresh = `${target}.new-${process.pid}`
  await mkdir(fresh, { recursive: true })
  for (const [name, bytes] of files) await writeFile(join(fresh, name), bytes)
  await rm(target, { recursive: true, force: true })
  await rename(fresh, target)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch {
    return [] // there is none yet, or it cannot be read: then nothing is found in it
  }
}
