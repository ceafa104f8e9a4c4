// An input locked by another process (spec 2, Files 3), with a kernel lease: the kind file servers take for their
// clients.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lyingIn } from './test-support/lying-in.ts'
import { databases, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

const contract = samplePdf('A contract')

for (const database of databases) {
  describe(`an input under an exclusive lease of another process, on ${database}`, () => {
    test('waits in its folder, which says why; it is signed once it is let go', async () => {
      const service = await startBatchSigner({ database })
      const { path, letGo, wasAsked } = await dropHeld(service, 'a.pdf')
      const before = identityOf(path)
      await expect
        .poll(async () => (await folder(service)).waiting)
        .toMatchObject([{ fileName: 'a.pdf', reason: 'open' }])
      expect(await newest(service)).toBeUndefined()
      expect(identityOf(path)).toEqual(before)
      expect(wasAsked(), 'the kernel takes the lease away some time after its holder was asked').toBe(false)
      await letGo()
      await expect.poll(async () => (await newest(service))?.status).toBe('Completed')
      expect(lyingIn(service.output)).toEqual(['a.signed.pdf'])
      await expect.poll(async () => [(await folder(service)).waiting, lyingIn(service.input())]).toEqual([[], []])
    })

    test('that began while its job was queued fails the job with job.input-held; a retry right after its end signs the file', async () => {
      const service = await startBatchSigner({ database })
      await service.full.call('POST', '/api/pipeline/pause')
      const path = join(service.input(), 'a.pdf')
      writeFileSync(path, contract)
      await expect.poll(async () => (await newest(service))?.status).toBe('Queued')
      const before = identityOf(path)
      const { letGo } = await holdLease(path)
      await service.full.call('POST', '/api/pipeline/resume')
      await expect.poll(() => newest(service)).toMatchObject({ status: 'Failed', errorCode: 'job.input-held' })
      expect([lyingIn(service.output), identityOf(path)]).toEqual([[], before])
      await letGo()
      const { id } = (await newest(service))!
      expect((await service.full.call('POST', `/api/jobs/${id}/retry`)).status).toBe(202)
      await expect.poll(() => newest(service)).toMatchObject({ status: 'Completed', source: 'Retry' })
    })
  })
}

const folder = async (service: RunningBatchSigner) =>
  (await service.full.json<{ folders: { waiting: unknown[] }[] }>('GET', '/api/folders')).body.folders[0]!

/** A file that has a lease from the moment it appears in the watched folder. */
async function dropHeld(service: RunningBatchSigner, fileName: string) {
  const [outside, path] = [join(service.folder, fileName), join(service.input(), fileName)]
  writeFileSync(outside, contract)
  const held = await holdLease(outside)
  renameSync(outside, path)
  return { path, ...held }
}

// Node cannot take leases; perl can. F_SETLEASE is 1024 and F_WRLCK 1 on Linux. The kernel's signal that asks for the
// lease is only told, so that the lease stays until standard input ends.
const HOLDER = `
  $SIG{IO} = sub { print 'asked' };
  open(my $file, '+<', $ARGV[0]) or die "open: $!";
  defined(fcntl($file, 1024, 1)) or die "lease: $!";
  $| = 1;
  print 'held';
  <STDIN>;
`

/** Makes another process take an exclusive lease on a file; says how to end it, and whether somebody began to break it. */
async function holdLease(path: string): Promise<{ letGo: () => Promise<void>; wasAsked: () => boolean }> {
  const holder = spawn('perl', ['-e', HOLDER, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = once(holder, 'exit')
  const letGo = async () => {
    holder.stdin.end()
    await exit
  }
  onTestFinished(letGo)
  const [said] = await Promise.race([once(holder.stdout, 'data'), exit])
  expect(String(said)).toBe('held')
  let later = ''
  holder.stdout.on('data', (text) => {
    later += text
  })
  return { letGo, wasAsked: () => later.includes('asked') }
}

const identityOf = (path: string) => {
  const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true })
  return { ino, size, mtimeNs, ctimeNs }
}

interface Job {
  readonly id: string
  readonly status: string
}

const newest = async (service: RunningBatchSigner): Promise<Job | undefined> =>
  (await service.full.json<{ items: Job[] }>('GET', '/api/jobs?pageSize=1')).body.items[0]
