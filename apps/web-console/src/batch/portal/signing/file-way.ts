import { digestName } from '../../../shared/signing/digest-name.ts'
import type { FileOffer } from '../../../shared/signing/offers.ts'
import { beginSignature, completeSignature, endSignature } from '../api/portal-calls.ts'
import type { BegunSignature, PortalRow } from '../api/portal-types.ts'
import { patiently } from './patiently.ts'
import { NotTaken, type Outcome, type SigningTask } from './signing-way.ts'

interface Begun {
  readonly file: PortalRow
  readonly toMake: NonNullable<BegunSignature['toMake']>
}

/**
 * A certificate in a file: its key stays in the browser, and one password signs the whole batch. A file that cannot be
 * signed loses none of the others; where none can, the reason of the first is thrown, and the person may try again.
 */
export function fileWay(task: SigningTask): FileOffer {
  let begun: readonly Begun[] = []
  let outcomes: Outcome[] = []
  const steps = 2 * task.files.length
  let done = 0

  /** Does it for each; those that fail are set aside. */
  async function each<One extends { readonly file: PortalRow }, Result>(
    all: readonly One[],
    work: (one: One, at: number) => Promise<Result>,
  ): Promise<readonly Result[]> {
    const results: Result[] = []
    for (const [at, one] of all.entries()) {
      await work(one, at).then(
        (result) => results.push(result),
        (why: unknown) => outcomes.push({ file: one.file, why }),
      )
      done += 1
      task.onProgress({ done, all: steps })
    }
    if (results.length > 0) return results
    task.onProgress(undefined)
    throw outcomes[0]!.why
  }

  const ended = (outcome: 'abandoned' | 'browser-failed') => {
    // Only counted: nothing else depends on it.
    for (const { file } of begun) void endSignature(file.jobId, outcome).catch(() => {})
    begun = []
    task.onProgress(undefined)
  }
  task.onLeave(() => ended('abandoned'))

  return {
    way: 'file',
    async prepare(certificate) {
      done = 0
      outcomes = []
      const files = task.files.map((file) => ({ file }))
      begun = await each(files, async ({ file }) => ({ file, toMake: await beginOne(file, certificate) }))
      return begun.map(({ toMake }) => ({ hash: toMake.digest, digestAlgorithm: digestName(toMake.digestAlgorithm) }))
    },
    failed: () => ended('browser-failed'),
    async complete(signatures) {
      const all = begun
      begun = []
      // What failed before is not tried here, and counts as done.
      done = steps - all.length
      const signed = await each(all, ({ file, toMake }, at) => completeOne(task, file, toMake.token, signatures[at]!))
      task.record([...signed, ...outcomes])
    },
  }
}

async function beginOne({ jobId }: PortalRow, certificate: string): Promise<Begun['toMake']> {
  const { toMake, shown } = await patiently(() => beginSignature(jobId, certificate))
  if (toMake === null) throw new NotTaken(shown!.code, shown!.message)
  return toMake
}

async function completeOne(task: SigningTask, file: PortalRow, token: string, signature: string): Promise<Outcome> {
  const made = { token, signature, reason: task.reason() }
  const { approved, shown } = await patiently(() => completeSignature(file.jobId, made))
  if (approved === null) throw new NotTaken(shown!.code, shown!.message)
  return { file, released: approved.released }
}
