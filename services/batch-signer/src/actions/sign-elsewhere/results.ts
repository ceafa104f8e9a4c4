import { Refusal } from '@chancela/service-kernel/errors'
import { ShownRefusal } from '../../rules/shown-refusal.ts'
import type { FileResult } from '../../store/approver-signings.ts'

/** What became of a file that was refused. */
export const resultOfRefusal = (error: Refusal | ShownRefusal): FileResult => {
  const failed = { ok: false, code: error.code, released: false }
  return error instanceof ShownRefusal
    ? { ...failed, text: error.said.text, told: error.said.told }
    : { ...failed, text: null, told: null }
}

export const approvedResult = (released: boolean): FileResult => ({
  ok: true,
  code: null,
  text: null,
  told: null,
  released,
})

/** A refusal of one file, which the others do not suffer from; whatever passes by itself is none. */
export const isFinal = (error: unknown): error is Refusal | ShownRefusal =>
  error instanceof ShownRefusal || (error instanceof Refusal && error.code !== 'service.busy')
