import { Held } from './conditions.ts'
import type { ToldReason } from './job-reason.ts'

/** Every condition of a folder that keeps its files waiting without any fault of theirs. */
export const folderConditions = {
  'input-unavailable': 'folder.input-unavailable',
  'output-unavailable': 'folder.output-unavailable',
  'output-full': 'folder.output-unavailable',
} as const

export type FolderCondition = keyof typeof folderConditions

/** An input folder, or the output folder of its own, cannot be used now: its jobs wait in the queue. */
export class FolderHeld extends Held<FolderCondition> {
  /** Bytes that must fit into a full output folder. */
  readonly needs: number

  constructor(condition: FolderCondition, why: ToldReason, more: { needs?: number; cause?: unknown } = {}) {
    super(condition, folderConditions[condition], why, { cause: more.cause })
    this.needs = more.needs ?? 0
  }
}
