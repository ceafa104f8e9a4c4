import { sign, verify } from 'node:crypto'
import type { Contestant } from '../../harness/benchmark.ts'
import { repeatFor } from '../../harness/repeat.ts'
import type { Sample } from './sample-documents.ts'
import type { SigningWorld } from './signing-world.ts'

/** One way of doing a piece of work, and an independent check of its result. */
interface Work {
  /** Does it once. */
  once(): Uint8Array | Promise<Uint8Array>
  /** Throws unless the result is right; called before anything is timed. */
  check(outcome: Uint8Array): Promise<void>
  /** Releases the resources of the work; default nothing. */
  end?(): Promise<void>
}

export type MakeWork = (world: SigningWorld) => Work | Promise<Work>

/** The work of a peer, whose code is loaded on first use, so that no other contestant pays for it. */
export const later =
  (load: () => Promise<(sample: Sample) => MakeWork>, sample: Sample): MakeWork =>
  async (world) =>
    (await load())(sample)(world)

/** A contestant that repeats its work, one at a time. */
export const repeating = (
  openWorld: () => Promise<SigningWorld>,
  name: string,
  make: MakeWork,
  more: Partial<Pick<Contestant, 'against' | 'cores'>> = {},
): Contestant => ({
  name,
  cores: 1,
  ...more,
  setUp: async () => {
    const work = await make(await openWorld())
    await checked(name, work)
    return {
      run: (forMs) =>
        repeatFor(forMs, async () => {
          await work.once()
          return 1
        }),
      tearDown: async () => work.end?.(),
    }
  },
})

// A contestant must not look fast by being wrong.
async function checked(name: string, work: Work): Promise<void> {
  try {
    await work.check(await work.once())
  } catch (error) {
    throw new Error(`"${name}" does its work wrongly, so that its speed means nothing.`, { cause: error })
  }
}

/** The limit of all signing on one core. */
export const RSA_ALONE = 'RSA-2048 alone'

/** `crypto.sign` with a loaded key, on data of the size of signed attributes. */
export const rsaAlone = (openWorld: () => Promise<SigningWorld>): Contestant => {
  const data = Buffer.alloc(200, 7)
  return repeating(openWorld, RSA_ALONE, ({ rsa: { privateKey, certificate } }) => ({
    once: () => sign('sha256', data, privateKey),
    check: async (signature) => {
      if (!verify('sha256', data, certificate.publicKey, signature)) throw new Error('The signature is wrong.')
    },
  }))
}

/** What every table that divides by the reference says about it. */
export const oneCoreNote =
  'one core: documents are prepared, signed by synchronous crypto.sign with the same cached key as the reference, and completed (which verifies the signature), one after the other; "RSA-2048 alone" is that crypto.sign and nothing else'

/** Until V8 has optimized the signing code; at 280 documents a second that takes it some ten seconds. */
export const STEADY_STATE_MS = 10_000

export const steadyStateNote =
  'steady state: every contestant runs for 10 s before the first turn, because V8 goes on compiling that long at these rates'
