import type { PlacedMark } from './authentication-stamps.ts'
import type { ActionOptions } from './flow-plan.ts'
import { refuse } from './refuse.ts'

/** Pages of an envelope before each of the files it is made of, by upload; empty for a document of one file. */
export type PagesBefore = ReadonlyMap<string, number>

/** Marks of one file of an envelope name its page in that file; in the envelope the pages before it count. */
export const inEnvelope = (marks: readonly PlacedMark[], pagesBefore: PagesBefore): readonly PlacedMark[] =>
  marks.map((mark) => {
    const before = mark.uploadId ? (pagesBefore.get(mark.uploadId.toLowerCase()) ?? 0) : 0
    return before === 0 ? mark : { ...mark, pageNumber: (mark.pageNumber ?? 1) + before }
  })

/** An action whose marks stand on the pages of the envelope. */
export function placedIn<Action extends { readonly options: ActionOptions }>(
  action: Action,
  pagesBefore: PagesBefore,
): Action {
  const { prePositionedMarks: marks } = action.options
  if (!marks || pagesBefore.size === 0) return action
  return { ...action, options: { ...action.options, prePositionedMarks: [...inEnvelope(marks, pagesBefore)] } }
}

/** Refuses a mark for a file that is not in the request: it would be drawn nowhere. `at` is where the list stands. */
export function requireOwnFiles(marks: readonly PlacedMark[], uploadIds: readonly string[], at: string): void {
  const known = new Set(uploadIds.map((id) => id.toLowerCase()))
  const lost = marks.findIndex(({ uploadId }) => uploadId && !known.has(uploadId.toLowerCase()))
  if (lost >= 0) throw refuse('InvalidFlowAction', { field: `${at}[${lost}].uploadId`, reason: 'is none of the files' })
}
