import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, RESERVATIONS } from './free-port.ts'

/** Below what other tests get. */
const FEW = { from: 19_000, to: 19_010 }
const all = Array.from({ length: FEW.to - FEW.from }, (_, index) => FEW.from + index)

function reserveFor(pid: number, ports: readonly number[]): void {
  mkdirSync(RESERVATIONS, { recursive: true })
  for (const port of ports) writeFileSync(join(RESERVATIONS, String(port)), String(pid))
  onTestFinished(() => {
    for (const port of all) rmSync(join(RESERVATIONS, String(port)), { force: true })
  })
}

test('a port that was given is given to nobody else, listened at or not', async () => {
  reserveFor(process.pid, [])
  const given: number[] = []
  while (given.length < all.length) given.push(await freePort(FEW))
  expect(given.sort()).toEqual(all)
})

test('a port of a running process is not given, one of an ended process is', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const [ended, ...running] = all
  reserveFor(process.ppid, running)
  reserveFor(pid, [ended!])
  expect(await freePort(FEW)).toBe(ended)
  expect(existsSync(join(RESERVATIONS, String(ended)))).toBe(true)
})
