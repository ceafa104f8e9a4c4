import { CallFailure, type Problem } from '../../shared/api/request.ts'

/** Most files of one upload. */
export const MAX_FILES = 100

/** State of one file of an upload. */
export type FileState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly share: number }
  /** The service asked for fewer requests; the file is sent again after this many seconds. */
  | { readonly kind: 'delayed'; readonly seconds: number }
  | { readonly kind: 'accepted'; readonly jobId: string }
  | { readonly kind: 'refused'; readonly error: CallFailure }
  | { readonly kind: 'stopped' }

export interface UploadWorld<Item> {
  readonly send: (item: Item, onProgress: (share: number) => void) => Promise<string>
  readonly pause: (seconds: number) => Promise<void>
  readonly isStopped: () => boolean
  readonly onState: (index: number, state: FileState) => void
}

/** Where the service does not say how long to wait. */
const DEFAULT_WAIT_SECONDS = 5

/** Sends files one after the other. A refusal affects one file only; too many requests are waited out. */
export async function runUploads<Item>(items: readonly Item[], world: UploadWorld<Item>): Promise<void> {
  for (const [index, item] of items.entries()) {
    world.onState(index, world.isStopped() ? { kind: 'stopped' } : await sendOne(index, item, world))
  }
}

async function sendOne<Item>(index: number, item: Item, world: UploadWorld<Item>): Promise<FileState> {
  const { send, pause, isStopped, onState } = world
  while (!isStopped()) {
    onState(index, { kind: 'sending', share: 0 })
    try {
      return { kind: 'accepted', jobId: await send(item, (share) => onState(index, { kind: 'sending', share })) }
    } catch (error) {
      if (isStopped()) break
      // Any other error is a bug here, and must not look like a refusal.
      if (!(error instanceof CallFailure)) throw error
      const problem = problemOf(error)
      if (problem?.code !== 'rate-limited') return { kind: 'refused', error }
      const seconds = problem.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS
      onState(index, { kind: 'delayed', seconds })
      await pause(seconds)
    }
  }
  return { kind: 'stopped' }
}

const problemOf = ({ reason }: CallFailure): Problem | undefined =>
  reason.kind === 'refused' ? reason.problem : undefined
