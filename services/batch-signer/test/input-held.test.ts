// An input locked by another process (spec 2, Files 3), with a kernel lease: the kind file servers take for their
// clients.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databases, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const contract = samplePdf('A contract')

for (const database of databases) {
  describe(`an input under an exclusive lease of another process, on ${database}`, () => {
    test('fails with job.input-held: nothing is signed, nothing copied, the file stays as it is', async () => {
      const service = await startBatchSigner({ database })
      const { path } = await dropHeld(service, 'a.pdf')
      const before = identityOf(path)
      const job = await ended(service)
      expect(job).toMatchObject({ status: 'Failed', errorCode: 'job.input-held', fileName: 'a.pdf' })
      expect(job.history.map(({ status }) => status)).toEqual(['Queued', 'Processing', 'Failed'])
      expect(identityOf(path)).toEqual(before)
      expect(readdirSync(service.output)).toEqual([])
      expect(filesBelow(service.error)).not.toContain('a.pdf')
    })

    test('is signed by a retry once it is let go, and then deleted', async () => {
      const service = await startBatchSigner({ database })
      const { path, letGo } = await dropHeld(service, 'a.pdf')
      const { id, errorCode } = await ended(service)
      expect(errorCode).toBe('job.input-held')
      await letGo()
      expect(readFileSync(path).equals(contract)).toBe(true)
      expect((await service.full.call('POST', `/api/jobs/${id}/retry`)).status).toBe(202)
      await expect.poll(async () => (await newest(service)).status).toBe('Completed')
      expect(readdirSync(service.output)).toEqual(['a.signed.pdf'])
      await expect.poll(() => readdirSync(service.input())).toEqual([])
    })
  })
}

/** A file that has a lease from the moment it appears in the watched folder. */
async function dropHeld(service: RunningBatchSigner, fileName: string) {
  const [outside, path] = [join(service.folder, fileName), join(service.input(), fileName)]
  writeFileSync(outside, contract)
  const letGo = await holdLease(outside)
  renameSync(outside, path)
  return { path, letGo }
}

// Node cannot take leases; perl can. F_SETLEASE is 1024 and F_WRLCK 1 on Linux. The kernel's signal that asks for the
// lease is ignored, so that it stays until standard input ends.
const HOLDER = `
  $SIG{IO} = 'IGNORE';
  open(my $file, '+<', $ARGV[0]) or die "open: $!";
  defined(fcntl($file, 1024, 1)) or die "lease: $!";
  $| = 1;
  print 'held';
  <STDIN>;
`

/** Makes another process take an exclusive lease on a file; returns a function to release it. */
async function holdLease(path: string): Promise<() => Promise<void>> {
  const holder = spawn('perl', ['-e', HOLDER, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = once(holder, 'exit')
  const letGo = async () => {
    holder.stdin.end()
    await exit
  }
  onTestFinished(letGo)
  const [said] = await Promise.race([once(holder.stdout, 'data'), exit])
  expect(String(said)).toBe('held')
  return letGo
}

const identityOf = (path: string) => {
  const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true })
  return { ino, size, mtimeNs, ctimeNs }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) => (entry.isFile() ? entry.name : []))

interface Job {
  readonly id: string
  readonly status: string
  readonly errorCode: string | null
  readonly history: readonly { readonly status: string }[]
}

/** The newest job, once there is one and it has ended. */
async function ended(service: RunningBatchSigner): Promise<Job> {
  await expect.poll(async () => (await newest(service))?.status).toMatch(/^(Completed|Failed|Canceled)$/)
  const { id } = await newest(service)
  return (await service.full.json<Job>('GET', `/api/jobs/${id}`)).body
}

const newest = async (service: RunningBatchSigner): Promise<Job> =>
  (await service.full.json<{ items: Job[] }>('GET', '/api/jobs?pageSize=1')).body.items[0]!
