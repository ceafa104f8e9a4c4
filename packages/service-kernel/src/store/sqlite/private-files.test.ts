import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../open-store.ts'
import type { ExposedFile } from './private-files.ts'

/** With no umask at all, a file gets the mode that is asked for. */
function withoutUmask(): void {
  const umask = process.umask(0)
  onTestFinished(() => void process.umask(umask))
}

async function written(folder: string) {
  const exposed: ExposedFile[] = []
  const onExposed = (files: readonly ExposedFile[]) => void exposed.push(...files)
  const store = await openStore({ url: 'sqlite:store.db', service: 'sample', dataFolder: folder, onExposed })
  onTestFinished(() => store.close())
  await sql`create table if not exists person (name text)`.execute(store.db)
  return { exposed, store }
}

const modeOf = (path: string): number => statSync(path).mode & 0o777

test('a database is its owner’s alone, with its log and its folder, whatever the umask', async () => {
  withoutUmask()
  const folder = join(temporaryFolder(), 'data')
  const { exposed } = await written(folder)
  const files = ['store.db', 'store.db-wal', 'store.db-shm'].map((name) => join(folder, name))
  expect(files.map(modeOf)).toEqual([0o600, 0o600, 0o600])
  expect(modeOf(folder)).toBe(0o700)
  expect(exposed).toEqual([])
})

test('one that others could read is closed to them, and the service is told', async () => {
  withoutUmask()
  const folder = temporaryFolder()
  await written(folder)
  const files = ['store.db', 'store.db-wal', 'store.db-shm'].map((name) => join(folder, name))
  for (const file of files) chmodSync(file, 0o644)
  const { exposed } = await written(folder)
  expect(exposed).toEqual(files.map((path) => ({ path, isClosed: true })))
  expect(files.map(modeOf)).toEqual([0o600, 0o600, 0o600])
})
