import type { BlobStore } from '@chancela/service-kernel/blobs'
import { LruCache } from '@chancela/service-kernel/concurrency'
import type { ReadingLimits } from '@chancela/signature-engine/pdf'
import { refuse } from '../../rules/refuse.ts'
import type { DocumentPlatformSettings } from '../../settings.ts'
import type { PdfTrouble } from './read-pdf.ts'
import { type Outcome, RenditionThreads, type ThreadLimits } from './threads/rendition-threads.ts'
import type { Given, RenditionTask, WorkName } from './threads/rendition-work.ts'

type Settings = DocumentPlatformSettings['Renditions']

/** For whom something is made, and of what. */
interface Asking {
  /** Aborted when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined
  /** Name of the file, told with a refusal. */
  readonly name?: string
}

/** What is made of PDFs, in threads of their own: a file can cost its own request, and nothing else. */
export interface Renditions {
  /** Why a stored file cannot be taken as a PDF; nothing when it can. */
  trouble(digest: string, asking?: Asking): Promise<PdfTrouble | undefined>
  /** Makes a PDF of stored ones; refuses those it cannot be made of. */
  make<Name extends Exclude<WorkName, 'read'>>(
    name: Name,
    digests: readonly string[],
    given: Given<Name>,
    asking?: Asking,
  ): Promise<Buffer>
  /** Ends what is under way at once. */
  stop(): void
}

/** So many files are remembered as sound: one that was uploaded is not read again when a document is made of it. */
const REMEMBERED = 10_000

export function openRenditions(settings: Settings, blobs: Pick<BlobStore, 'read' | 'size'>): Renditions {
  const limits = threadLimits(settings)
  // Apart, so that nobody who draws much keeps others from sending documents.
  const [reading, drawing] = [new RenditionThreads(limits), new RenditionThreads(limits)]
  const sound = new LruCache<string, true>(REMEMBERED)
  const taskOf = openTasks(settings, blobs)
  return {
    async trouble(digest, { signal } = {}) {
      if (sound.get(digest)) return undefined
      const outcome = await reading.run(() => taskOf('read', [digest], undefined), signal)
      if (outcome.kind === 'trouble') return outcome.trouble
      requireDone(outcome)
      sound.set(digest, true)
      return undefined
    },
    async make(name, digests, given, { signal, name: fileName } = {}) {
      await requireRoom(settings, blobs, digests, fileName)
      const outcome = await drawing.run(() => taskOf(name, digests, given), signal)
      if (outcome.kind === 'trouble') throw refuseTrouble(outcome.trouble, fileName)
      const { buffer, byteOffset, length } = requireDone(outcome)!
      return Buffer.from(buffer, byteOffset, length)
    },
    stop() {
      reading.stop()
      drawing.stop()
    },
  }
}

const threadLimits = ({ Workers, MaxQueued, MemoryMb, Seconds }: Settings): ThreadLimits => ({
  threads: Workers,
  maxQueued: MaxQueued,
  memoryMb: MemoryMb,
  seconds: Seconds,
})

function openTasks({ MaxPages, MaxInflatedBytes }: Settings, blobs: Pick<BlobStore, 'read'>) {
  const drawn: ReadingLimits = { pages: MaxPages, decodedTotal: MaxInflatedBytes }
  // What is only signed need not be drawn: the engine's own bound of pages holds for it.
  const read: ReadingLimits = { ...drawn, pages: Number.POSITIVE_INFINITY }
  return async <Name extends WorkName>(
    name: Name,
    digests: readonly string[],
    given: Given<Name>,
  ): Promise<RenditionTask<Name>> => {
    const files = await Promise.all(digests.map((digest) => blobs.read(digest)))
    // A copy, because it is handed over to the thread, and the blobs may be held by others.
    return { name, pdfs: files.map((file) => new Uint8Array(file)), given, within: name === 'read' ? read : drawn }
  }
}

/** One file can be named many times: what all of them weigh is known before any is read. */
async function requireRoom(
  { MaxInputBytes }: Settings,
  blobs: Pick<BlobStore, 'size'>,
  digests: readonly string[],
  name: string | undefined,
): Promise<void> {
  const sizes = await Promise.all(digests.map((digest) => blobs.size(digest)))
  if (sizes.reduce((sum, size) => sum + size, 0) > MaxInputBytes)
    throw refuseTrouble({ kind: 'too-complex', reason: `The files have more than ${MaxInputBytes} bytes.` }, name)
}

function requireDone(outcome: Exclude<Outcome, { readonly kind: 'trouble' }>): Uint8Array | undefined {
  if (outcome.kind === 'done') return outcome.bytes
  if (outcome.kind === 'busy') throw refuse('ServiceBusy')
  throw refuse('InvalidRequest', { reason: 'The client went away.' })
}

const codes = {
  'not-a-pdf': 'InvalidDocumentContent',
  encrypted: 'DocumentEncrypted',
  damaged: 'DocumentDamaged',
  ambiguous: 'DocumentAmbiguous',
  'too-complex': 'DocumentTooComplex',
} as const satisfies Record<PdfTrouble['kind'], string>

/** The refusal that tells why a file cannot be worked on. */
export const refuseTrouble = ({ kind, reason }: PdfTrouble, name?: string) =>
  refuse(codes[kind], { ...(name !== undefined && { name }), reason })
