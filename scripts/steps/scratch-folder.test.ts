import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from './scratch-folder.mjs'

function memoryStandIn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-memory-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('data lies in a folder of the run that every user may write to, and what a killed run left is gone', () => {
  const memory = memoryStandIn()
  const { pid } = spawnSync(process.execPath, ['--version'])
  const [abandoned, used] = [pid, process.ppid].map((owner) => join(memory, `chancela-tests-${owner}-a`))
  for (const folder of [abandoned!, used!]) mkdirSync(folder)
  // Machines differ in how much is free at this moment.
  const folder = scratchFolder(memory, 0)
  expect(folder.startsWith(join(memory, `chancela-tests-${process.pid}-`))).toBe(true)
  expect(statSync(folder).mode & 0o1777).toBe(0o1777)
  expect([existsSync(abandoned!), existsSync(used!)]).toEqual([false, true])
})

test('a system without such a folder keeps it where temporary files are', () => {
  expect(scratchFolder(join(memoryStandIn(), 'none'), 0)).toBe(tmpdir())
})

test('a system that has little free memory keeps it where temporary files are', () => {
  expect(scratchFolder(memoryStandIn(), Number.POSITIVE_INFINITY)).toBe(tmpdir())
})
