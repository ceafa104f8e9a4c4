import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, it, onTestFinished } from 'vitest'
import { leaseFile } from './leases.ts'
import type { Libc } from './libc.ts'

function inputFile(): string {
  const path = join(temporaryFolder(), 'a.rem')
  writeFileSync(path, 'one')
  return path
}

function openForReading(path: string): number {
  const fd = openSync(path, constants.O_RDONLY)
  onTestFinished(() => closeSync(fd))
  return fd
}

const leaseOf = (fd: number, ...kernel: [(Libc | null)?]) =>
  leaseFile(fd, fstatSync(fd, { bigint: true }).dev, ...kernel)

/** Another process, which says a line once it has done the first part of its work and ends with its standard input. */
async function other(command: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  await once(child.stdout!, 'data')
  return child
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin!.end()
  await once(child, 'exit')
}

const python = (path: string, ...lines: string[]) =>
  other('python3', ['-c', ['import sys, os, fcntl', ...lines].join('\n'), path])

const say = "print('ready', flush=True)"

it('is free when nobody writes, and can be taken again after the release', () => {
  const fd = openForReading(inputFile())
  for (let round = 0; round < 2; round += 1) {
    const lease = leaseOf(fd)
    expect([lease.hold, lease.isWhole()]).toEqual(['free', true])
    lease.release()
    expect(lease.isWhole()).toBe(false)
  }
})

it.each([
  ['has it open for writing', "file = open(sys.argv[1], 'ab')"],
  ['holds it under flock', 'file = open(sys.argv[1]); fcntl.flock(file, fcntl.LOCK_EX)'],
  ['holds a part of it under an fcntl lock', "file = open(sys.argv[1], 'r+'); fcntl.lockf(file, fcntl.LOCK_EX, 1)"],
])('is held while another process %s, and free afterwards', async (_what, hold) => {
  const path = inputFile()
  const child = await python(path, hold, say, 'sys.stdin.read()')
  expect(leaseOf(openForReading(path)).hold).toBe('held')
  await end(child)
  const lease = leaseOf(openForReading(path))
  expect(lease.hold).toBe('free')
  lease.release()
})

it('is free beside readers, and beside another shared lock', async () => {
  const path = inputFile()
  await python(path, 'file = open(sys.argv[1]); fcntl.flock(file, fcntl.LOCK_SH)', say, 'sys.stdin.read()')
  const lease = leaseOf(openForReading(path))
  expect(lease.hold).toBe('free')
  lease.release()
})

it('makes a writer wait until the release, tells that somebody wants to write, and outlives the signal', async () => {
  const path = inputFile()
  const lease = leaseOf(openForReading(path))
  const child = await python(path, say, "file = open(sys.argv[1], 'ab')", "file.write(b' two')", 'file.close()')
  await expect.poll(() => lease.isWhole()).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('one')
  lease.release()
  await end(child)
  expect(readFileSync(path, 'utf8')).toBe('one two')
})

it('is unknown where the platform offers no such calls', () => {
  const lease = leaseOf(openForReading(inputFile()), null)
  expect([lease.hold, lease.isWhole()]).toEqual(['unknown', false])
})

it.each(['EACCES', 'EINVAL'])('is unknown where the kernel refuses leases with %s', (errno) => {
  const kernel = {
    fcntl: () => ({ errno }),
    fcntlWith: () => ({ errno }),
    flock: () => ({ value: 0 }),
  }
  expect(leaseOf(openForReading(inputFile()), kernel).hold).toBe('unknown')
})
