import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
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

/** Where a version stands, and where it stands while another takes its place. */
const placesOf = (options: SchemaFolderOptions, version: LayoutVersion) => {
  const target = join(schemaFolder(options), version)
  return { target, before: `${target}.before`, unfinished: `${target}.new-` }
}

/**
 * The files of a version. Whoever replaced them was killed between its two steps, or is there now: then they are in the
 * other place, or in the first again.
 */
export async function keptFiles(options: SchemaFolderOptions, version: LayoutVersion): Promise<SchemaFiles> {
  const { target, before } = placesOf(options, version)
  for (const place of [target, before]) {
    const files = await readSchemaFiles(place, version)
    if (files.size > 0) return files
  }
  return readSchemaFiles(target, version)
}

/** The versions that are complete. */
export async function keptVersions(options: SchemaFolderOptions): Promise<LayoutVersion[]> {
  const complete: LayoutVersion[] = []
  for (const version of schemaVersions)
    if ((await keptFiles(options, version)).size === schemaFiles(version).length) complete.push(version)
  return complete
}

/** Replaces a version as a whole: whoever reads meanwhile, or after it was killed, finds the old files or the new ones. */
export async function keepFiles(
  options: SchemaFolderOptions,
  version: LayoutVersion,
  files: SchemaFiles,
): Promise<void> {
  const { target, before, unfinished } = placesOf(options, version)
  await mendPlaces(options, version)
  const fresh = `${unfinished}${process.pid}`
  await mkdir(fresh, { recursive: true })
  for (const [name, bytes] of files) await writeFile(join(fresh, name), bytes, { flush: true })
  if (await isThere(target)) await rename(target, before)
  await rename(fresh, target)
  await rm(before, { recursive: true, force: true })
}

/** What a killed import left behind: the old files return where the new ones did not arrive, and unfinished ones go. */
async function mendPlaces(options: SchemaFolderOptions, version: LayoutVersion): Promise<void> {
  const { target, before, unfinished } = placesOf(options, version)
  if ((await isThere(before)) && !(await isThere(target))) await rename(before, target)
  await rm(before, { recursive: true, force: true })
  const folder = schemaFolder(options)
  for (const name of await namesIn(folder))
    if (join(folder, name).startsWith(unfinished)) await rm(join(folder, name), { recursive: true, force: true })
}

const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  )

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch {
    return [] // there is none yet, or it cannot be read: then nothing is found in it
  }
}
