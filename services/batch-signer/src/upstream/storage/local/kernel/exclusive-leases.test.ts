import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, it, onTestFinished } from 'vitest'
import { localFiles, openings } from '../file-operations.ts'
import { isExclusivelyLeased } from './exclusive-leases.ts'

function twoFiles(): [string, string] {
  const folder = temporaryFolder()
  const paths: [string, string] = [join(folder, 'a.rem'), join(folder, 'b.rem')]
  for (const path of paths) writeFileSync(path, 'one')
  return paths
}

/** Another process with a lease on a file (0: shared, 1: exclusive), until its standard input ends. */
async function leaseElsewhere(path: string, kind: 0 | 1): Promise<ChildProcess> {
  const lines = [
    'import sys, os, fcntl, signal',
    "signal.signal(signal.SIGIO, lambda *_: print('asked', flush=True))",
    `file = os.open(sys.argv[1], ${kind === 1 ? 'os.O_RDWR' : 'os.O_RDONLY'})`,
    `fcntl.fcntl(file, fcntl.F_SETLEASE, ${kind})`,
    "print('leased', flush=True)",
    'sys.stdin.read()',
  ]
  const child = spawn('python3', ['-c', lines.join('\n'), path], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return child
}

it('is told of the file that has one, not of its neighbour, and ends with its holder', async () => {
  const [leased, other] = twoFiles()
  const holder = await leaseElsewhere(leased, 1)
  await expect.poll(() => isExclusivelyLeased(leased)).toBe(true)
  expect(isExclusivelyLeased(other)).toBe(false)
  holder.stdin!.end()
  await once(holder, 'exit')
  await expect.poll(() => isExclusivelyLeased(leased)).toBe(false)
})

it('is not told of a shared one, nor of a file that does not exist', async () => {
  const [leased, other] = twoFiles()
  await leaseElsewhere(leased, 0)
  await leaseElsewhere(other, 1)
  await expect.poll(() => isExclusivelyLeased(other)).toBe(true)
  expect([isExclusivelyLeased(leased), isExclusivelyLeased(`${leased}.gone`)]).toEqual([false, false])
})

it('makes an opening for reading fail as the kernel would, without asking the holder', async () => {
  const [leased, other] = twoFiles()
  const holder = await leaseElsewhere(leased, 1)
  let said = ''
  holder.stdout!.on('data', (text) => {
    said += text
  })
  await expect.poll(() => isExclusivelyLeased(leased)).toBe(true)
  expect(() => localFiles.openSync(leased, openings.read)).toThrow(expect.objectContaining({ code: 'EAGAIN' }))
  localFiles.closeSync(localFiles.openSync(other, openings.read))
  holder.stdin!.end()
  await once(holder, 'close')
  expect(said).not.toContain('asked')
})
