import type { MarksSessionPage, SessionMark } from '../api/types.ts'
import { kinds } from '../new/flow-draft.ts'
import { asMark, asPlaced, type PageSize, type PlacedMark, placeNew } from '../pdf/mark-geometry.ts'

type Participant = MarksSessionPage['participants'][number]

/** A mark on one of the files of the session. */
export interface FileMark extends PlacedMark {
  readonly fileId: string
  readonly type: NonNullable<SessionMark['type']>
  /** Absent where nobody in particular signs there. */
  readonly flowActionId?: string
  readonly participant?: string
}

/** What was placed before; a mark without a file stands on the first. */
export const marksOf = ({ data, files }: Pick<MarksSessionPage, 'data' | 'files'>): readonly FileMark[] =>
  (data ?? []).map((mark, index) => ({
    ...asPlaced(mark, String(index)),
    fileId: mark.uploadId ?? files[0]!.id,
    type: mark.type ?? 'SignatureVisualRepresentation',
    ...whose(mark),
  }))

const whose = ({ flowActionId, participant }: Pick<SessionMark, 'flowActionId' | 'participant'>) => ({
  ...(flowActionId && { flowActionId }),
  ...(participant && { participant }),
})

/** The marks as the service and whoever embeds the page get them. */
export const asData = (marks: readonly FileMark[]): SessionMark[] =>
  marks.map((mark) => ({ ...whose(mark), ...asMark(mark, mark.fileId), type: mark.type }))

/** Those whose signature can be seen on a page: approvers leave none. */
export const signersAmong = (participants: readonly Participant[]): readonly Participant[] =>
  participants.filter(({ type }) => type in kinds && kinds[type as keyof typeof kinds].signs)

/** Where a new mark comes to stand. */
export interface Place {
  readonly fileId: string
  readonly page: number
  readonly size: PageSize
}

/** The marks and a further one; for nobody in particular where no signer is named. */
export function withMark(
  marks: readonly FileMark[],
  { fileId, page, size }: Place,
  signer: Participant | undefined,
): readonly FileMark[] {
  const placed = placeNew(freeId(marks), page, size, onFile(marks, fileId))
  const participant = signer && { flowActionId: signer.flowActionId, participant: signer.name }
  return [
    ...marks,
    { ...placed, fileId, type: 'SignatureVisualRepresentation', ...(participant && whose(participant)) },
  ]
}

const freeId = (marks: readonly PlacedMark[]): string => String(1 + Math.max(-1, ...marks.map(({ id }) => Number(id))))

export const withMoved = (marks: readonly FileMark[], moved: PlacedMark): readonly FileMark[] =>
  marks.map((mark) => (mark.id === moved.id ? { ...mark, ...moved } : mark))

export const withoutMark = (marks: readonly FileMark[], id: string): readonly FileMark[] =>
  marks.filter((mark) => mark.id !== id)

export const onFile = (marks: readonly FileMark[], fileId: string): readonly FileMark[] =>
  marks.filter((mark) => mark.fileId === fileId)
