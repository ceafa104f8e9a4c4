// A file that is still being written is not taken (spec 2, Files 3): other processes hold it open, lock it, pause.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { HOUR } from '@chancela/service-kernel/clock'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, onTestFinished, test } from 'vitest'
import { storesOf } from '../src/test-support/as-new.ts'
import { completeNext, openBatchStore } from '../src/test-support/ledger-world.ts'
import { intakeWorld } from '../src/workers/intake/test-support/intake-world.ts'

const SOON = { interval: 20 }

type World = Awaited<ReturnType<typeof intakeWorld>>

/** Another process that runs these lines of Python, each after a line of its standard input. */
async function other(path: string, first: string, ...later: string[]) {
  const steps = later.map((line) => `sys.stdin.readline()\n${line}\nprint('done', flush=True)`)
  const code = ['import fcntl, sys', first, "print('done', flush=True)", ...steps].join('\n')
  const child = spawn('python3', ['-c', code, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return {
    step: async () => {
      child.stdin.write('\n')
      await once(child.stdout, 'data')
    },
  }
}

/** Waits until the folder was enumerated once more, found by a file that came later. */
async function passesOf({ drop, names }: World): Promise<void> {
  const marker = `marker-${Math.random()}.txt`
  await drop(marker)
  await expect.poll(names, SOON).toContain(`${marker} Queued`)
}

const of = async ({ names }: World, file: string) => (await names()).filter((one) => one.startsWith(`${file} `))

const waiting = async ({ call }: World) =>
  (await call('GET', '/api/folders')).body.folders[0].waiting.map(
    ({ fileName, reason }: { fileName: string; reason: string }) => `${fileName} ${reason}`,
  )

for (const [name, openNew] of Object.entries(testStores)) {
  const openStore = storesOf(openNew)

  describe(`files that are not complete, on ${name}`, () => {
    const world = async (options: Partial<Parameters<typeof intakeWorld>[0]> = {}) =>
      intakeWorld({ ...options, store: await openBatchStore(openStore) })

    test('a writer that pauses with the file open, however long, is waited for; then the file is taken whole', async () => {
      const one = await world()
      one.intake.start()
      const path = one.input('slow.txt')
      const writer = await other(
        path,
        "file = open(sys.argv[1], 'w'); file.write('first half'); file.flush()",
        "file.write(', second half'); file.close()",
      )
      await expect.poll(() => waiting(one), SOON).toEqual(['slow.txt open'])
      await passesOf(one)
      expect(await of(one, 'slow.txt')).toEqual([])
      const rescan = await one.call('POST', '/api/rescan?folder=default')
      expect(rescan.body.totals.errors).toBe(0)
      expect(await of(one, 'slow.txt')).toEqual([])
      await writer.step()
      await expect.poll(() => of(one, 'slow.txt'), SOON).toEqual(['slow.txt Queued'])
      expect(await readFile(path, 'utf8')).toBe('first half, second half')
      expect(await waiting(one)).toEqual([])
    })

    test.each([
      ['flock', 'file = open(sys.argv[1]); fcntl.flock(file, fcntl.LOCK_EX)'],
      ['an fcntl lock', "file = open(sys.argv[1], 'r+'); fcntl.lockf(file, fcntl.LOCK_EX)"],
    ])('a file that another process holds under %s is not taken until it lets go', async (_lock, hold) => {
      const one = await world()
      await one.drop('locked.txt')
      const holder = await other(one.input('locked.txt'), hold, 'file.close()')
      one.intake.start()
      await expect.poll(() => waiting(one), SOON).toEqual(['locked.txt open'])
      await passesOf(one)
      expect(await of(one, 'locked.txt')).toEqual([])
      await holder.step()
      await expect.poll(() => of(one, 'locked.txt'), SOON).toEqual(['locked.txt Queued'])
    })

    test('an empty file is not taken and says so; it is when it has content; after a while there is an event', async () => {
      let ahead = 0
      const one = await world({ clock: () => new Date(Date.now() + ahead) })
      await one.drop('empty.txt', '')
      await one.drop('filled.txt', '')
      one.intake.start()
      await expect.poll(() => waiting(one), SOON).toHaveLength(2)
      expect((await one.call('POST', '/api/rescan')).body.totals).toMatchObject({ scanned: 2, ignored: 2, enqueued: 0 })
      await appendFile(one.input('filled.txt'), 'content')
      await expect.poll(() => of(one, 'filled.txt'), SOON).toEqual(['filled.txt Queued'])
      expect(await waiting(one)).toEqual(['empty.txt empty'])
      ahead = 11 * 60_000
      const told = async () => (await one.context.events.list({ type: 'FileWaiting' })).items.map(({ text }) => text)
      await expect
        .poll(told, SOON)
        .toEqual(['The file empty.txt of the input folder default is not taken: it is empty.'])
      await passesOf(one)
      expect([await told(), await of(one, 'empty.txt')]).toEqual([[expect.any(String)], []])
      await rm(one.input('empty.txt'))
      await expect.poll(() => waiting(one), SOON).toEqual([])
    })

    test('a folder with a ready marker takes a file when its marker is there; the marker goes after the file', async () => {
      const one = await world({ folder: { ReadyMarker: '.ok' } })
      one.intake.start()
      await one.drop('a.rem')
      await expect.poll(() => waiting(one), SOON).toEqual(['a.rem no-ready-marker'])
      await one.drop('a.rem.ok', '')
      await expect.poll(one.names, SOON).toEqual(['a.rem Queued'])
      await completeNext(one.context.ledger, new Date())
      await rm(one.input('a.rem'))
      await expect.poll(one.left, SOON).toEqual([])
      expect(await one.names()).toEqual(['a.rem Completed'])
    })

    test('where nobody can say whether a file is open, it must rest longer', async () => {
      const one = await world({ writersOf: () => 'unknown', watched: { StabilityRequiredSamples: 10 } })
      one.intake.start()
      await writeFile(one.input('share.txt'), 'content')
      await expect.poll(() => waiting(one), SOON).toEqual(['share.txt settling'])
      await expect.poll(() => of(one, 'share.txt'), SOON).toEqual(['share.txt Queued'])
      expect(await waiting(one)).toEqual([])
    })

    test.each([
      ['free', 1],
      ['unknown', 2],
    ] as const)('a file that has rested and is %s is taken after %d looks at who has it open', async (hold, looks) => {
      const asked: string[] = []
      const writersOf = (path: string) => {
        asked.push(path)
        return hold
      }
      const one = await world({ clock: () => new Date(Date.now() + HOUR), writersOf })
      one.intake.start()
      await writeFile(one.input('rested.txt'), 'content')
      await expect.poll(() => of(one, 'rested.txt'), SOON).toEqual(['rested.txt Queued'])
      expect(asked).toEqual(Array(looks).fill(one.input('rested.txt')))
    })
  })
}
