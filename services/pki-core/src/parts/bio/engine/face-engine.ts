import type { Seen } from '../../../rules/bio/face.ts'

/** What a session needs of an engine. Another engine implements this and stands in `openParts`. */
export interface FaceEngine {
  /** Kept with every template: one that another engine made is never compared. */
  readonly name: string
  /** What is on a frame; null for what is no picture. */
  look(jpeg: Uint8Array, signal?: AbortSignal): Promise<Seen>
  /** A vector of length 1 that tells the face from others, or undefined where no single face is. */
  describe(jpeg: Uint8Array, signal?: AbortSignal): Promise<Float32Array | undefined>
  stop(): void
}

/** Everybody else waits already. */
export class EngineBusy extends Error {
  override readonly name = 'EngineBusy'
}
