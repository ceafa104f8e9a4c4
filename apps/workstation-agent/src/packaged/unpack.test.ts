import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'
import { AgentProblem } from '../agent-problem.ts'
import { cacheFolder, unpack } from './unpack.ts'

const bytes = Buffer.from('native code')

test('what a package carries is written once, where its user alone may read and write', () => {
  const folder = join(temporaryFolder(), 'new', 'cache')
  const file = unpack(folder, 'some.node', bytes)
  const before = statSync(file, { bigint: true }).mtimeNs
  expect([readFileSync(file), statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([
    bytes,
    0o600,
    0o700,
  ])
  expect(unpack(folder, 'some.node', bytes)).toBe(file)
  expect(statSync(file, { bigint: true }).mtimeNs).toBe(before)
})

test('a file that was changed, or is a link to another, is replaced and never loaded', () => {
  const folder = temporaryFolder()
  const file = unpack(folder, 'some.node', bytes)
  writeFileSync(file, 'wicked code')
  expect(readFileSync(unpack(folder, 'some.node', bytes))).toEqual(bytes)
  const elsewhere = join(temporaryFolder(), 'elsewhere')
  writeFileSync(elsewhere, bytes)
  rmSync(file)
  symlinkSync(elsewhere, file)
  expect([unpack(folder, 'some.node', bytes), statSync(file).ino === statSync(elsewhere).ino]).toEqual([file, false])
})

test('another version has a file of its own', () => {
  const folder = temporaryFolder()
  expect(unpack(folder, 'some.node', bytes)).not.toBe(unpack(folder, 'some.node', Buffer.from('next')))
})

test('a folder that others may write is closed to them, and one that is none is refused', () => {
  const folder = join(temporaryFolder(), 'cache')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  unpack(folder, 'some.node', bytes)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const link = join(temporaryFolder(), 'link')
  symlinkSync(folder, link)
  expect(() => unpack(link, 'some.node', bytes)).toThrow(AgentProblem)
})

test('the folder is where the system keeps what can be made again', () => {
  expect(cacheFolder('linux', { XDG_CACHE_HOME: '/x' })).toBe('/x/chancela/agent')
  expect(cacheFolder('linux', {})).toMatch(/\/\.cache\/chancela\/agent$/)
  expect(cacheFolder('darwin', {})).toMatch(/Library\/Caches\/Chancela\/agent$/)
  expect(cacheFolder('win32', { LOCALAPPDATA: 'C:/Local' })).toMatch(/Local.Chancela.agent$/)
})
